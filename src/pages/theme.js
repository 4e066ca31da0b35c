/** Swagger UI follows the system's colour scheme, by a class of the page. */
const dark = matchMedia('(prefers-color-scheme: dark)');

function apply() {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}

dark.addEventListener('change', apply);
apply();
