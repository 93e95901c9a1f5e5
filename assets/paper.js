// Paper is white: a page that is dark is printed in its light colors.
(function () {
  "use strict";
  const page = document.documentElement.dataset;
  let before;
  addEventListener("beforeprint", () => {
    before = page.theme;
    page.theme = "light";
  });
  addEventListener("afterprint", () => {
    page.theme = before;
  });
})();
