// Saving and hiding homes without leaving the page: the form's answer is the visitor's new stylesheet.
// Without this script the form brings the visitor back to the same place.
"use strict";
{
  const form = document.getElementById("mine");
  const said = document.getElementById("said");
  const style = new CSSStyleSheet();
  let last = Promise.resolve(); // what was pressed last: each answer's cookie has to be there before the next is sent

  const shown = (button) => button.checkVisibility?.() ?? button.offsetParent !== null;

  // wear replaces the stylesheet that the page came with.
  const wear = (text) => {
    style.replaceSync(text);
    document.adoptedStyleSheets = [style];
    document.getElementById("my-style").disabled = true;
  };

  const press = async (button) => {
    try {
      const response = await fetch(form.action, {
        method: "POST",
        body: new URLSearchParams({ [button.name]: button.value }),
        headers: { Accept: "text/css" },
      });
      const text = await response.text();
      if (response.status === 409) return location.assign(text); // no place left: the shortlist says so
      if (!response.ok) throw new Error(response.statusText);
      const focused = document.activeElement === button || document.activeElement === document.body;
      wear(text);
      said.textContent = form.dataset[button.name];
      // The pressed button is gone: the focus goes to the one in its place.
      const home = button.closest("[data-apartment-id], th");
      if (focused && !shown(button)) [...home.querySelectorAll(`button[form=mine][value="${button.value}"]`)].find(shown)?.focus();
    } catch {
      resend(button);
    }
  };

  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button || location.pathname.endsWith("/favourites")) return; // which is made anew
    event.preventDefault();
    last = last.then(() => press(button));
  });

  // resend sends the form as the browser would have.
  const resend = (button) => {
    const field = Object.assign(document.createElement("input"), { type: "hidden", name: button.name, value: button.value });
    form.append(field);
    form.submit();
  };

  // A page that the browser has kept is as it was left, and more may have been saved or hidden since.
  addEventListener("pageshow", async (event) => {
    if (!event.persisted) return;
    const response = await fetch("/mine.css").catch(() => undefined);
    if (response?.ok) wear(await response.text());
  });
}
