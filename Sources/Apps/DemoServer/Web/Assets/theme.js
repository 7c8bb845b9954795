// The colors that the person chose: applied before anything is drawn, in every tab, and chosen with the fields named
// "theme". Without a choice they are those of the system. A classic script, because a module runs too late.
{
  const KEY = "theme";
  /** Without permission to store anything, the choice is that of the page alone. */
  let chosen = null;
  const stored = () => {
    try { return localStorage.getItem(KEY); } catch { return chosen; }
  };
  const apply = () => {
    const theme = stored();
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    for (const field of document.getElementsByName("theme")) field.checked = field.value === (theme ?? "system");
  };
  apply();
  addEventListener("DOMContentLoaded", apply);
  addEventListener("pageshow", apply);
  addEventListener("storage", apply);
  addEventListener("change", ({ target }) => {
    if (target.name !== "theme") return;
    chosen = target.value;
    try { localStorage.setItem(KEY, chosen); } catch { /* the choice of the page */ }
    apply();
  });
}
