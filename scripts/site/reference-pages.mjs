// The API reference as pages, one for each tag of the OpenAPI document: what an operation takes, what it returns, and
// an example of both.

/** Nested members are shown down to this depth. */
const DEPTH_MAX = 3;

/** Pages with `place`, `title` and `text`. */
export function referencePages(api) {
  const resolved = (value) => (value?.$ref === undefined ? value : resolved(byReference(api, value.$ref)));
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );
  const pages = api.tags
    .map(({ name }) => [name, operations.filter(({ tags }) => tags.includes(name))])
    .filter(([, own]) => own.length > 0)
    .map(([name, own]) => ({
      place: `api/${name.toLowerCase().replaceAll(/[^a-z]+/g, "-")}.md`,
      title: name,
      text: `# ${name}\n\n${own.map((operation) => operationText(operation, resolved)).join("\n")}`,
    }));
  const list = pages.map(({ place, title }) => `- [${title}](/${place.replace(/\.md$/, "")})\n`);
  const index = `# API\n\n${api.info.description ?? ""}\n\nThe [API reference](/docs/reference){target="_self"} shows all of it on one page, with every schema. OpenAPI documents: \`/swagger/v1/swagger.json\`, \`/messaging/swagger/v1/swagger.json\`, \`/carrierLookup/swagger/v1/swagger.json\`.\n\n${list.join("")}`;
  return [{ place: "api/index.md", title: "All operations", text: index }, ...pages];
}

function byReference(api, reference) {
  return reference
    .slice(2)
    .split("/")
    .reduce((value, name) => value[name], api);
}

function operationText(
  { operationId, summary, description = "", method, path, parameters = [], requestBody, responses },
  resolved,
) {
  const body = contentOf(resolved(requestBody));
  const fields = parameters
    .map(resolved)
    .map((parameter) => fieldRow(parameter, `${parameter.name}, ${parameter.in}`, resolved));
  const rows = [...fields, ...(body ? memberRows(body.schema, resolved) : [])];
  const answers = Object.entries(responses).map(([status, answer]) => [status, resolved(answer)]);
  const [, good] = answers.find(([status]) => status.startsWith("2")) ?? [];
  return [
    `## ${summary}\n`,
    `\`${method} ${path}\` · \`${operationId}\`\n`,
    description && `${description}\n`,
    rows.length > 0 && `| Field | Type | |\n|---|---|---|\n${rows.join("")}`,
    example("Request", body, resolved),
    `| Status | |\n|---|---|\n${answers.map(([status, answer]) => `| ${status} | ${cell(answer.description)} |\n`).join("")}`,
    example("Answer", contentOf(good), resolved),
  ]
    .filter(Boolean)
    .join("\n");
}

/** The JSON form of the content, or its first form if it has none in JSON. */
function contentOf(holder) {
  const forms = Object.entries(holder?.content ?? {});
  return (forms.find(([type]) => type === "application/json") ?? forms[0])?.[1];
}

function memberRows(given, resolved, prefix = "", depth = 1) {
  const schema = resolved(given);
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const own = resolved(member);
    const inner = own.type === "array" ? resolved(own.items) : own;
    const row = fieldRow({ ...own, schema: member, required: required.has(name) }, prefix + name, resolved);
    return [row, ...(depth < DEPTH_MAX ? memberRows(inner, resolved, `${prefix}${name}.`, depth + 1) : [])];
  });
}

function fieldRow({ required, description, schema }, name, resolved) {
  const text = description ?? resolved(schema)?.description ?? "";
  return `| \`${name}\`${required ? "" : " (optional)"} | ${cell(typeOf(schema, resolved))} | ${cell(text)} |\n`;
}

function typeOf(given, resolved) {
  const schema = resolved(given) ?? {};
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(", ");
  if (schema.type === "array") return `list of ${typeOf(schema.items, resolved)}`;
  return [schema.type ?? "any", schema.format].filter(Boolean).join(", ");
}

const cell = (text) => text.replaceAll("\n", " ").replaceAll("|", "\\|");

function example(title, content, resolved) {
  const [first] = Object.values(content?.examples ?? {});
  const value = resolved(first)?.value ?? content?.example;
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return `${title}:\n\n\`\`\`json\n${text}\n\`\`\`\n`;
}
