// The health of the service, one mark for each part. Problems stand out, everything else stays quiet.

import { useQuery } from "@tanstack/react-query";
import { NOUN_OF_CAUSE } from "../../api/attention.ts";
import type { AnyFinding } from "../../components/findings.tsx";
import { tableOf } from "../../components/lookup-table.ts";
import { Socket } from "../../components/patch.tsx";
import { Shape } from "../../components/shape.tsx";
import { markOf } from "../../components/status.tsx";
import { type Readiness, readinessQuery } from "./home-queries.ts";

interface Line {
  readonly name: string;
  readonly state: string;
  readonly isWell: boolean;
}

/** The sandbox's links are named by their protocol. */
const PROTOCOLS = tableOf({ sandbox: "SMPP", "sandbox-mms": "MM4" });

function linesOf(report: Readiness): readonly Line[] {
  const states = (kind: Readonly<Record<string, string>>) =>
    Object.entries(kind).map(([name, state]): Line => {
      const { tone, word } = markOf("link", state);
      return { name, state: word.toLowerCase(), isWell: tone === "ok" };
    });
  return [
    { name: "API", state: `${report.ms} ms`, isWell: report.isReady },
    { name: "Database", state: report.store === "ok" ? "up" : report.store, isWell: report.store === "ok" },
    ...states(report.links).map((line) => ({ ...line, name: PROTOCOLS.get(line.name) ?? line.name })),
    ...states(report.trunks).map((line) => ({ ...line, name: line.name === "sandbox" ? "SIP" : line.name })),
  ];
}

/** Deliveries that wait for failing receivers. */
function webhooksOf(findings: readonly AnyFinding[]): Line {
  const waiting = findings
    .filter(({ cause }) => NOUN_OF_CAUSE[cause] === "Webhook")
    .reduce((sum, { count }) => sum + count, 0);
  return { name: "Webhooks", state: waiting === 0 ? "none waits" : `${waiting} waiting`, isWell: waiting === 0 };
}

export interface HealthProps {
  /** Undefined until loaded. */
  readonly findings: readonly AnyFinding[] | undefined;
  /** The account's own; undefined until loaded. */
  readonly callsNow: number | undefined;
}

export function Health({ findings, callsNow }: HealthProps) {
  const { data, error } = useQuery(readinessQuery);
  const calls = callsNow === undefined ? [] : [{ name: "Calls", state: `${callsNow} now`, isWell: true }];
  const own = data ? [...linesOf(data), ...calls, ...(findings ? [webhooksOf(findings)] : [])] : [];
  const lines = error ? [{ name: "API", state: "does not answer", isWell: false }] : own;
  const well = lines.filter(({ isWell }) => isWell).length;
  return (
    <section className="health" aria-label="Health of the service">
      {lines.length > 0 && (
        <div className="only-phone">
          <Socket plugged />
          <b>
            {well} of {lines.length} lines
          </b>
          <span className="num">are well</span>
        </div>
      )}
      {lines.map(({ name, state, isWell }) => (
        <div key={name} className={isWell ? "hide-phone" : "health-ails"}>
          {isWell ? <Socket plugged /> : <Shape name="act" tone="warn" />}
          <b>{name}</b>
          <span className="num">{state}</span>
        </div>
      ))}
    </section>
  );
}
