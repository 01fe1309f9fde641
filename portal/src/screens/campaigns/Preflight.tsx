// What a preflight found: what passed, what did not, and what that means.

import type { MigrationPreflightFinding } from "@tandem/sdk";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { Shape } from "../../components/shape.tsx";
import { Said } from "./Said.tsx";

export function Preflight({ findings }: { readonly findings: readonly MigrationPreflightFinding[] }) {
  return (
    <ul className="preflight">
      {findings.map(({ check, number, passed, says }) => (
        <li key={`${check} ${number}`}>
          <Shape
            name={passed ? "done" : "act"}
            tone={passed ? "neutral" : "warn"}
            label={passed ? "Passed" : "Not passed"}
          />
          <span>{number === null ? check : <PhoneNumber value={number} />}</span>
          <span className="mid">
            <Said text={says} />
          </span>
        </li>
      ))}
    </ul>
  );
}
