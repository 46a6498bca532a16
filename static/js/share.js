// Sharing a home: one press copies the link. Without this script the link is there to be copied by hand.
"use strict";
{
  const share = document.querySelector(".share");
  const button = share.querySelector("button");
  const link = share.querySelector("input");
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(link.value);
      share.querySelector("[role=status]").textContent = button.dataset.done;
    } catch {
      link.select(); // not allowed, or not over HTTPS: a key copies it
    }
  });
}
