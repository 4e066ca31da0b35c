/** Swagger UI is dark where the page says so; the page says what the system does. */
const dark = matchMedia('(prefers-color-scheme: dark)');

function apply() {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}

dark.addEventListener('change', apply);
apply();
