// The API explorer: how do I call it? Operations from the OpenAPI document at the left, one of them with its form, code
// and response at the right. The search words and the operation are in the address.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Input } from "../../components/field.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Empty } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { useRouteParams } from "../../components/route-params.ts";
import { useSearchState } from "../../components/search-state.ts";
import { OperationPage } from "./OperationPage.tsx";
import { type Operation, operationsQuery } from "./openapi.ts";
import "./api.css";

export function ApiScreen() {
  const { operation: id } = useRouteParams("/api/$operation");
  const crumb = { label: "API explorer", ...(id !== "" && { to: "/api" }) };
  usePlace(id === "" ? [crumb] : [crumb, { label: id }]);
  const query = useQuery(operationsQuery);
  if (!query.data) return <NotLoaded query={query} what="The OpenAPI document did not load" rows={8} />;
  const operation = query.data.find((one) => one.id === id);
  return (
    <div className={id === "" ? "api" : "api api-one"}>
      <OperationList operations={query.data} chosen={id} />
      <div className="api-page">
        {operation && <OperationPage key={operation.id} operation={operation} operations={query.data} />}
        {id === "" && <Welcome />}
        {id !== "" && !operation && <Empty what={`There is no operation ${id}`} why="Choose one of the list." />}
      </div>
    </div>
  );
}

function Welcome() {
  return (
    <Empty
      what="Choose an operation"
      why="Its form is filled with what you have, its code works as pasted, and you can send it from here."
    >
      <p className="mid">
        The whole reference is at{" "}
        <a className="link" href="/docs/reference">
          /docs/reference
        </a>
        , the document at{" "}
        <a className="link" href="/swagger/v1/swagger.json">
          /swagger/v1/swagger.json
        </a>
        .
      </p>
    </Empty>
  );
}

interface OperationListProps {
  readonly operations: readonly Operation[];
  /** Empty where none is. */
  readonly chosen: string;
}

function OperationList({ operations, chosen }: OperationListProps) {
  const [{ q = "" }, change] = useSearchState();
  const words = q.toLowerCase().split(/\s+/);
  const found = operations.filter(({ id, method, path, summary, tag }) => {
    const text = `${id} ${method} ${path} ${summary} ${tag}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const tags = [...new Set(found.map(({ tag }) => tag))];
  return (
    <nav className="api-list" aria-label="Operations">
      {chosen === "" && <h1>API explorer</h1>}
      <search>
        <Input
          aria-label="Search operations"
          placeholder="Search: send, recording, DELETE …"
          value={q}
          onChange={(event) => change({ q: event.target.value || undefined })}
        />
      </search>
      {found.length === 0 && <Empty what="No operation is called so" why="Try fewer words." />}
      {tags.map((tag) => (
        <section key={tag} aria-label={tag}>
          <h2>{tag}</h2>
          <ul>
            {found
              .filter((operation) => operation.tag === tag)
              .map(({ id, method, summary, path }) => (
                <li key={id}>
                  <Link
                    to={`/api/${id}`}
                    search={q === "" ? {} : { q }}
                    title={`${method} ${path}`}
                    aria-current={id === chosen ? "page" : undefined}
                  >
                    <span className={`mono api-method api-${method.toLowerCase()}`}>{method}</span>
                    <span className="cut">{summary}</span>
                  </Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
