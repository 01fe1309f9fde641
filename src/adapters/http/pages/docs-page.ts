// /docs: an OpenAPI document as one readable page.

import { escapeHtml, page, prose } from "../core/page.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
}

interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }
    >
  >;
}

interface Document {
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export function docsPage(source: object, links: readonly { readonly title: string; readonly url: string }[]): string {
  const document = source as Document;
  const sections = document.tags.map(({ name }) => tagSection(document, name)).join("");
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => schemaSection(name, schema));
  const nav = links.map((link) => `<a href="${escapeHtml(link.url)}">${escapeHtml(link.title)}</a>`).join("");
  return page(
    `${document.info.title} – reference`,
    `<h1>${escapeHtml(document.info.title)} <span class="soft">${escapeHtml(document.info.version)}</span></h1>
<p>${prose(document.info.description)}</p><nav>${nav}</nav>${sections}<h2 id="schemas">Schemas</h2>${schemas.join("")}`,
  );
}

function tagSection(document: Document, tag: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => operationSection(path, method.toUpperCase(), operation)),
  );
  return `<h2>${escapeHtml(tag)}</h2>${operations.join("")}`;
}

function operationSection(path: string, method: string, operation: Described): string {
  const parameters = operation.parameters.map(
    (parameter) =>
      `<tr><td><code>${escapeHtml(parameter.name)}</code></td><td>${parameter.in}${parameter.required ? "" : ", optional"}</td><td>${typeText(parameter.schema)}</td><td>${prose(parameter.description ?? "")}</td></tr>`,
  );
  const body = operation.requestBody?.content["application/json"]?.schema;
  const answers = Object.entries(operation.responses).map(([status, answer]) => {
    const schema = answer.content?.["application/json"]?.schema;
    return `<tr><td><code>${status}</code></td><td>${schema ? typeText(schema) : ""}</td><td>${prose(answer.description)}</td></tr>`;
  });
  return `<details id="${escapeHtml(operation.operationId)}"><summary><span class="method">${method}</span><code>${escapeHtml(path)}</code> <span class="soft">${escapeHtml(operation.summary)}</span></summary>
${operation.description === undefined ? "" : `<p>${prose(operation.description)}</p>`}
${parameters.length === 0 ? "" : `<table><tr><th>Parameter</th><th>In</th><th>Type</th><th></th></tr>${parameters.join("")}</table>`}
${body ? `<p>Body: ${typeText(body)}</p>` : ""}
<table><tr><th>Answer</th><th>Body</th><th></th></tr>${answers.join("")}</table></details>`;
}

function schemaSection(name: string, schema: Schema): string {
  const rows = Object.entries(schema.properties ?? {}).map(([member, type]) => {
    const optional = schema.required?.includes(member) ? "" : " <span class='soft'>optional</span>";
    return `<tr><td><code>${escapeHtml(member)}</code>${optional}</td><td>${typeText(type)}</td><td>${prose(type.description ?? "")}</td></tr>`;
  });
  const shape = rows.length === 0 ? `<p>${typeText(schema)}</p>` : `<table>${rows.join("")}</table>`;
  return `<details id="schema-${escapeHtml(name)}"><summary><h3 style="display:inline">${escapeHtml(name)}</h3></summary>${shape}</details>`;
}

function typeText(schema: Schema): string {
  const name = schema.$ref?.split("/").at(-1);
  if (name !== undefined) return `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;
  if (schema.anyOf) return schema.anyOf.map(typeText).join(" or ");
  if (schema.enum) return schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(", ");
  if (schema.type === "array" && schema.items) return `list of ${typeText(schema.items)}`;
  const base = escapeHtml([schema.type ?? "any", schema.format].filter(Boolean).join(", "));
  const fallback = schema.default === undefined ? "" : ` (default ${escapeHtml(String(schema.default))})`;
  return `${base}${schema.nullable ? " or null" : ""}${fallback}`;
}
