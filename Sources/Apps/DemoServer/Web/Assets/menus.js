// The menus of a page: one is open at a time, and Escape or a press elsewhere closes it.

/** The menus, and the lists beside the devices, which are made later. */
const MENUS = "details:is(.menu, .hand-more)[open]";

/** Closes the menus of the page, which are `details`. */
export function keepMenus() {
  const close = (isKept) => {
    for (const menu of document.querySelectorAll(MENUS)) if (!isKept(menu)) menu.open = false;
  };
  // The event of a menu that opens or closes does not bubble.
  document.addEventListener("toggle", ({ target }) => {
    if (target.matches(MENUS)) close((menu) => menu === target);
  }, true);
  // The focus may have left the open menu. A part of the page with an Escape of its own does not pass it on.
  document.addEventListener("keydown", (event) => {
    const menu = document.querySelector(MENUS);
    if (event.key !== "Escape" || event.defaultPrevented || !menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  // A list in the flow moves the page when it closes: only a whole press closes it. What was pressed may be gone then.
  document.addEventListener("click", (event) => close((menu) => event.composedPath().includes(menu)));
}
