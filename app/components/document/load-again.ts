const LOADS = "pathway-loads";
const BEGUN = "pathwayHasBegun";

/**
 * A script that loads the page again when those of the page could not be fetched. While a new version takes over, a page may come
 * from one process and its scripts be asked of another one, which has other files: nothing on the page would answer. The waits
 * grow to half a minute and then end, as something else is wrong; two minutes later they begin anew. Where a browser keeps nothing for a page, nobody could count.
 * The page's first script imports the others (an error of its element), and the last of them in a promise, whose failure only
 * the browsers' words tell from others.
 */
export const LOAD_AGAIN = `(function () {
  var isDue = false;
  function loadAgain() {
    if (isDue || window.${BEGUN}) return;
    var last = JSON.parse(sessionStorage.getItem("${LOADS}")) || { times: 0, at: 0 };
    var times = Date.now() - last.at > 120000 ? 0 : last.times;
    if (times > 5) return;
    isDue = true;
    sessionStorage.setItem("${LOADS}", JSON.stringify({ times: times + 1, at: Date.now() }));
    setTimeout(function () { location.reload(); }, 1000 * Math.pow(2, times));
  }
  addEventListener("error", function (event) {
    if (event.target instanceof HTMLScriptElement && event.target.type === "module") loadAgain();
  }, true);
  addEventListener("unhandledrejection", function (event) {
    if (event.reason instanceof TypeError && /module/.test(event.reason.message)) loadAgain();
  });
})();`;

/** Says that the scripts of this page came. A part that fails from now on is told in the page. */
export function noteBegun(): void {
  Reflect.set(window, BEGUN, true);
}
