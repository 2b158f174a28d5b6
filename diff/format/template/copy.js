
document.addEventListener("click", async event => {
  const button = event.target.closest("button.copy");
  if (!button) return;
  const command = button.parentElement.querySelector("code");
  try {
    await navigator.clipboard.writeText(command.textContent);
    button.textContent = "copied";
  } catch {
    // No clipboard for a page from a file in some browsers: the line is selected, one key copies it.
    getSelection().selectAllChildren(command);
    button.textContent = "selected";
  }
  setTimeout(() => { button.textContent = "copy"; }, 2000);
});
