// The listing, improved: a changed filter updates homes and counts in place, and the page says how old its data is.
// Everything here works without it; on any surprise the browser simply goes where the form or the link leads.
"use strict";
{
  const listing = document.querySelector(".listing");
  const form = document.getElementById("filters");
  const announcement = document.getElementById("announcement");
  let request; // the one under way

  // url of what the form asks for, without what was left empty.
  const wanted = () => {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value.trim()) query.append(name, value.trim());
    const text = query.toString();
    return form.action + (text ? "?" + text : "");
  };

  const load = async (url) => {
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    listing.setAttribute("aria-busy", "true");
    const response = await fetch(url, { signal, headers: { Accept: "text/html" } });
    const text = await response.text();
    signal.throwIfAborted();
    const page = new DOMParser().parseFromString(text, "text/html");
    if (!response.ok || !page.getElementById("homes")) throw new Error("not a listing");
    return { page, url: response.url };
  };

  // show puts what has changed into this document. The form keeps its fields, so that focus and typing stay, unless
  // the filters themselves came with the URL.
  const show = (page, filters) => {
    document.title = page.title;
    document.getElementById("homes").replaceWith(page.getElementById("homes"));
    if (filters) {
      form.replaceChildren(...page.getElementById("filters").childNodes);
    } else {
      for (const option of form.querySelectorAll("[data-facet]")) {
        const fresh = page.querySelector(`[data-facet="${option.dataset.facet}"][data-value="${option.dataset.value}"]`);
        if (!fresh) continue;
        option.className = fresh.className;
        option.dataset.count = fresh.dataset.count;
        option.querySelector("small").textContent = fresh.querySelector("small").textContent;
      }
    }
    for (const part of listing.querySelectorAll("[data-swap]")) {
      const fresh = page.querySelector(`[data-swap="${part.dataset.swap}"]`);
      if (fresh && !part.isEqualNode(fresh)) part.replaceChildren(...fresh.childNodes);
    }
    const shown = document.getElementById("shown");
    announcement.textContent = [document.getElementById("results").textContent, shown?.textContent].filter(Boolean).join(". ");
    tell();
  };

  const go = async (url, { filters = false, push = true, after } = {}) => {
    try {
      const loaded = await load(url);
      const focused = document.activeElement?.id;
      if (push && loaded.url !== location.href) history.pushState(null, "", loaded.url);
      show(loaded.page, filters);
      if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
      listing.removeAttribute("aria-busy");
      after?.();
    } catch (error) {
      if (error.name !== "AbortError") location.assign(url);
    }
  };

  document.addEventListener("change", (event) => {
    if (event.target.form === form) go(wanted());
  });

  // The button: close the panel where it covers the page, and go to the results.
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    go(wanted(), {
      after: () => {
        const results = document.getElementById("results");
        if (matchMedia("(max-width: 59.99rem)").matches) form.parentElement.open = false;
        results.focus();
        results.scrollIntoView({ block: "nearest" });
      },
    });
  });

  // Chips and advice change the filters: the form has to follow.
  listing.addEventListener("click", (event) => {
    const link = event.target.closest(".chip, .relaxed a, .empty a");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(link.href, { filters: true, after: () => document.getElementById("results").focus() });
  });

  addEventListener("popstate", () => go(location.href, { filters: true, push: false }));

  // The page names the time of its data; here it becomes an age.
  const units = [["hour", 3600], ["minute", 60], ["second", 1]];
  const tell = () => {
    const fresh = document.getElementById("fresh");
    const time = fresh.querySelector("time");
    const age = Math.max(0, Math.round((Date.now() - Date.parse(time.dateTime)) / 1000));
    const [unit, size] = units.find(([, size]) => age >= size) ?? units[2];
    const text = new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "short" });
    const [before, after] = fresh.dataset.old.split("{age}");
    time.textContent = text.format(Math.floor(age / size));
    fresh.replaceChildren(before, time, after);
  };
  tell();
  setInterval(tell, 5000);
}
