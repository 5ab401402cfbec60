// The reference of the API, by Swagger UI.

// The server that this page came from, with the path that a proxy may have given it.
const server = new URL(".", location.href).href.replace(/\/$/, "");

// What has no tag comes first, as "default": it is what most people look for.
/** @param {OpenApi} api */
const complete = (api) => ({ ...api, servers: [{ url: server }], tags: [{ name: "default" }, ...(api.tags ?? [])] });

function followColourScheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();
}

/** @param {(api: object) => void} update */
const updateJsonSpec = (update) => (/** @type {OpenApi} */ api) => update(complete(api));

followColourScheme();
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#api",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  plugins: [{ statePlugins: { spec: { wrapActions: { updateJsonSpec } } } }],
});
