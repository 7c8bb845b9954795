// The menus of a page: one is open at a time, and Escape or a press elsewhere closes it.

/** Closes the menus of the page, which are `details`. */
export function keepMenus() {
  const menus = [...document.querySelectorAll("details.menu")];
  for (const menu of menus) {
    menu.addEventListener("toggle", () => {
      if (menu.open) for (const other of menus) if (other !== menu) other.open = false;
    });
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      event.stopPropagation();
      menu.open = false;
      menu.querySelector("summary").focus();
    });
  }
  document.addEventListener("pointerdown", ({ target }) => {
    for (const menu of menus) if (!menu.contains(target)) menu.open = false;
  });
}
