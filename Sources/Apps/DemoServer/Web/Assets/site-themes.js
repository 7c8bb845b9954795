// The products of the sample websites. All of them share one page.

export const THEMES = {
  spaceship: {
    title: "Comet 3, two seats", price: "1,240 credits",
    detail: "Spaceport East to Mare Tranquillitatis and back. 3 days, full tank.",
    why: "Only people over 21 with a license may fly. Verify who you are and the key is yours.",
    success: "Welcome aboard", ready: "Your Comet 3 waits at dock 7.", picture: "spaceship.svg",
  },
  hotel: {
    title: "Earth-view room, two nights", price: "860 credits",
    detail: "Ring deck, window to the planet. Breakfast at every sunrise: 16 a day.",
    why: "Every orbital hotel has to know its guests. Verify who you are to check in.",
    success: "You are checked in", ready: "Your room is on the ring deck, door 12.", picture: "hotel.svg",
  },
  other: {
    title: "Your order", detail: "One of our best.", price: "",
    why: "We need to know who you are before we can continue.",
    success: "Thank you, we know you now", ready: "Your order is on its way.", picture: "website.svg",
  },
};
