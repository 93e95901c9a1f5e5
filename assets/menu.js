// The two menus of a narrow screen are dialogs of the theme, which opens them and closes them.
(function () {
  "use strict";
  // The theme takes the focus from a button that is pressed, so a closed menu could not return it.
  for (const button of document.querySelectorAll(".sidebar-toggle")) button.blur = () => {};
  for (const menu of document.querySelectorAll("dialog[id$='-sidebar-modal']")) {
    menu.addEventListener("click", (event) => {
      const link = event.target.closest("a[href]");
      if (!link) return;
      // A link within the page is followed once the menu is closed, which moves the focus.
      if (link.getAttribute("href").startsWith("#")) {
        event.preventDefault();
        menu.addEventListener("close", () => link.click(), { once: true });
      }
      menu.close(); // or it would still be open when the reader comes back to this page
    });
  }
})();
