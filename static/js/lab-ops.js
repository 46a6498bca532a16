// The ops view, live: every two seconds the figures are fetched again and put in the place of the old ones. Without this
// script the page loads itself again; on a page that the visitor has stopped there is neither.
"use strict";
{
  const live = document.getElementById("ops-live");
  const lost = document.getElementById("ops-lost");
  const every = 2000;

  const update = async () => {
    if (!document.hidden) {
      try {
        const response = await fetch(location.href, { signal: AbortSignal.timeout(5000) });
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        live.replaceChildren(...page.getElementById("ops-live").childNodes);
        lost.hidden = true;
      } catch {
        lost.hidden = false; // away, or an error page
      }
    }
    setTimeout(update, every);
  };
  setTimeout(update, every);
}
