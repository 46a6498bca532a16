// Saving and hiding homes without leaving the page: the form's answer is the visitor's new stylesheet.
// Without this script the form brings the visitor back to the same place.
"use strict";
{
  const form = document.getElementById("mine");
  const said = document.getElementById("said");
  const style = new CSSStyleSheet();

  const shown = (button) => button.checkVisibility?.() ?? button.offsetParent !== null;

  form.addEventListener("submit", async (event) => {
    const button = event.submitter;
    if (!button || location.pathname.endsWith("/favourites")) return; // which is made anew
    event.preventDefault();
    try {
      const response = await fetch(form.action, {
        method: "POST",
        body: new URLSearchParams({ [button.name]: button.value }),
        headers: { Accept: "text/css" },
      });
      const text = await response.text();
      if (response.status === 409) return location.assign(text); // no place left: the shortlist says so
      if (!response.ok) throw new Error(response.statusText);
      style.replaceSync(text);
      document.adoptedStyleSheets = [style];
      document.getElementById("my-style").disabled = true;
      said.textContent = form.dataset[button.name];
      // The pressed button is gone: the focus goes to the one in its place.
      const home = button.closest("[data-apartment-id], th");
      if (!shown(button)) [...home.querySelectorAll(`button[form=mine][value="${button.value}"]`)].find(shown)?.focus();
    } catch {
      resend(button);
    }
  });

  // resend sends the form as the browser would have.
  const resend = (button) => {
    const field = Object.assign(document.createElement("input"), { type: "hidden", name: button.name, value: button.value });
    form.append(field);
    form.submit();
  };
}
