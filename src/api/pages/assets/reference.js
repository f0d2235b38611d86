// Renders the reference from the server's own API description.

const place = document.getElementById("reference");

function followColorScheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", apply);
  apply();
}

async function draw() {
  const response = await fetch("/api/v1/openapi.json");
  if (!response.ok) throw new Error(`openapi.json answered ${response.status}`);
  const spec = await response.json();
  // "Try it out" calls the server that the reader is on, whatever its public address is.
  spec.servers = [{ url: location.origin }];
  place.replaceChildren();
  window.SwaggerUIBundle({
    spec,
    domNode: place,
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    filter: true,
    validatorUrl: null,
  });
}

followColorScheme();
draw().catch((error) => {
  const note = document.createElement("p");
  note.className = "note";
  note.textContent = `The reference could not be rendered: ${error.message}.`;
  place.replaceChildren(note);
});
