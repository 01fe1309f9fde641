// What is stuck or fails, grouped by cause: what, why, what to do, and the page where to do it.

import type { Finding, OperatorFinding } from "@tandem/sdk";
import { type ReactNode, useState } from "react";
import { Button, ButtonLink } from "./button.tsx";
import { Section } from "./page.tsx";
import { Shape } from "./shape.tsx";
import { Advice } from "./verdict.tsx";
import { Words } from "./words.tsx";
import "./findings.css";

export type AnyFinding = Finding | OperatorFinding;

export interface FindingPage {
  readonly to: string;
  readonly verb: string;
}

export interface FindingsProps {
  /** Whom they need. */
  readonly title?: string;
  readonly findings: readonly AnyFinding[];
  /** The page for a finding; its button names what to do there. */
  readonly pageOf: (finding: AnyFinding) => FindingPage | undefined;
  /** False where the button is enough. */
  readonly isAdvised?: (finding: AnyFinding) => boolean;
  /** After the reason. */
  readonly about?: (finding: AnyFinding) => ReactNode;
}

const SHOWN = 5;

export function Findings({ title = "Needs you", findings, pageOf, isAdvised = () => true, about }: FindingsProps) {
  const [isFolded, setFolded] = useState(true);
  const shown = isFolded ? findings.slice(0, SHOWN) : findings;
  return (
    <Section title={title} count={findings.length} className="findings">
      {findings.length === 0 && <p className="findings-none">Nothing. All is well.</p>}
      <ul>
        {shown.map((finding) => {
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
                  <Words text={finding.why} /> {about?.(finding)}
                </p>
                {isAdvised(finding) && (
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
      {findings.length > SHOWN && (
        <div className="findings-more">
          <Button small aria-expanded={!isFolded} onClick={() => setFolded(!isFolded)}>
            {isFolded ? `Show ${findings.length - SHOWN} more` : "Show fewer"}
          </Button>
        </div>
      )}
    </Section>
  );
}
