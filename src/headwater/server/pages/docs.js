"use strict";
// Draws openapi.json. Text goes in as text, never as HTML.

const script = document.currentScript;
const METHODS = ["get", "put", "post", "patch", "delete"];

function element(name, text, ...children) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  made.append(...children);
  return made;
}

// A schema with its references put in; one that comes again inside of itself is named.
function resolved(schema, root, above = []) {
  if (Array.isArray(schema)) return schema.map((one) => resolved(one, root, above));
  if (schema === null || typeof schema !== "object") return schema;
  if (schema.$ref) {
    const name = schema.$ref.split("/").pop();
    if (above.includes(name)) return name;
    return resolved(root.components.schemas[name], root, [...above, name]);
  }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, resolved(value, root, above)]));
}

function contents(content, root) {
  return Object.entries(content ?? {}).flatMap(([type, { schema }]) =>
    schema ? [element("p", type), element("pre", JSON.stringify(resolved(schema, root), null, 2))] : [element("p", type)]);
}

function parameters(list) {
  const table = element("table", "", element("tr", "", ...["name", "in", "type", ""].map((word) => element("th", word))));
  for (const one of list) {
    const schema = one.schema ?? {};
    const type = schema.type ?? (schema.anyOf ?? []).map((part) => part.type).filter(Boolean).join(" or ");
    const bounds = schema.default === undefined ? "" : ` (${JSON.stringify(schema.default)})`;
    table.append(element("tr", "", element("td", one.name + (one.required ? " *" : "")), element("td", one.in),
      element("td", type + bounds), element("td", one.description ?? schema.description ?? "")));
  }
  return table;
}

function drawn(path, method, operation, root) {
  const verb = element("span", method);
  verb.className = "method";
  const title = element("summary", "", verb, element("code", path), ` ${operation.summary ?? ""}`);
  const body = element("div", "", element("p", operation.description ?? ""));
  if (operation.parameters?.length) body.append(element("h4", "Parameters"), parameters(operation.parameters));
  if (operation.requestBody) body.append(element("h4", "Body"), ...contents(operation.requestBody.content, root));
  body.append(element("h4", "Answers"));
  for (const [status, answer] of Object.entries(operation.responses ?? {})) {
    body.append(element("p", `${status}: ${answer.description ?? ""}`), ...contents(answer.content, root));
  }
  const whole = element("details", "", title, body);
  whole.dataset.words = `${method} ${path} ${operation.summary ?? ""} ${operation.description ?? ""}`.toLowerCase();
  return whole;
}

async function draw() {
  const root = await (await fetch(script.dataset.openapi)).json();
  document.getElementById("about").textContent = `${root.info.title} ${root.info.version}`;
  const groups = new Map();
  for (const [path, operations] of Object.entries(root.paths)) {
    for (const method of METHODS.filter((one) => operations[one])) {
      const group = operations[method].tags?.[0] ?? "Others";
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push(drawn(path, method, operations[method], root));
    }
  }
  const place = document.getElementById("operations");
  for (const [name, list] of groups) place.append(element("section", "", element("h2", name), ...list));
  document.getElementById("filter").addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const one of place.querySelectorAll("details")) {
      one.hidden = !words.every((word) => one.dataset.words.includes(word));
    }
  });
}

draw().catch((error) => { document.getElementById("about").textContent = `openapi.json could not be read: ${error}`; });
