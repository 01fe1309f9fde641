// What stands still or fails, grouped by its cause: what, why, what to do, and the page where it is done. The advice
// for failed messages is to read why, which their button says.

import type { Finding, OperatorFinding } from "@tandem/sdk";
import { ButtonLink } from "../../components/button.tsx";
import { Section } from "../../components/page.tsx";
import { Shape } from "../../components/shape.tsx";
import { Advice } from "../../components/verdict.tsx";
import { Words } from "../../components/words.tsx";

/** Where a finding is looked at, by what it concerns. */
function pageOf({
  resource,
  cause,
}: Finding | OperatorFinding): { readonly to: string; readonly verb: string } | undefined {
  switch (resource?.kind) {
    case "Subscription":
      return { to: `/webhooks/${resource.id}`, verb: "Inspect" };
    case "Number":
      return { to: `/numbers/${resource.id}`, verb: "See why" };
    case "Campaign":
      return { to: `/migrations/${resource.id}`, verb: "See whose turn" };
    case "Call":
      return { to: `/calls/${resource.id}`, verb: "Open the call" };
    case "Message":
      return { to: `/messages/${resource.id}`, verb: "Read why" };
    case "PortOrder":
      return { to: "/numbers", verb: "Open the numbers" };
    default:
      return cause === "MessagesFailed" ? { to: "/messages?q=status:Failed", verb: "See them" } : undefined;
  }
}

export function NeedsYou({ findings }: { readonly findings: readonly (Finding | OperatorFinding)[] }) {
  return (
    <Section title="Needs you" count={findings.length} className="needs-you">
      {findings.length === 0 && <p className="home-quiet">Nothing. All is well.</p>}
      <ul>
        {findings.map((finding) => {
          const page = pageOf(finding);
          const isError = finding.severity === "Error";
          return (
            <li key={finding.id}>
              <Shape name={isError ? "failed" : "act"} tone={isError ? "bad" : "warn"} large />
              <div>
                <p className="strong">
                  <Words text={finding.what} />
                </p>
                <p className="mid">
                  <Words text={finding.why} />
                </p>
                {finding.cause !== "MessagesFailed" && (
                  <Advice>
                    <Words text={finding.advice} />
                  </Advice>
                )}
              </div>
              {page && (
                <ButtonLink to={page.to} small>
                  {page.verb}
                </ButtonLink>
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
