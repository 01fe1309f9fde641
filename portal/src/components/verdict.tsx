// What happened, why, and what to do: the first thing on every failure. `Problem` shows it for a refused request.

import { TandemError, TandemNetworkError } from "@tandem/sdk";
import type { ReactNode } from "react";
import { Countdown } from "./countdown.tsx";
import { Shape } from "./shape.tsx";
import "./verdict.css";

export interface VerdictProps {
  readonly tone: "bad" | "warn" | "ok";
  readonly what: ReactNode;
  readonly why?: ReactNode;
  /** What to do, as a sentence; null: nothing to do. */
  readonly advice?: ReactNode;
  /** Buttons that do it. */
  readonly children?: ReactNode;
}

const SHAPES = { bad: "failed", warn: "act", ok: "delivered" } as const;

export function Verdict({ tone, what, why, advice, children }: VerdictProps) {
  return (
    <div className={`verdict verdict-${tone}`}>
      <Shape name={SHAPES[tone]} tone={tone} large />
      <div>
        <p className="strong">{what}</p>
        {why && <p className="mid">{why}</p>}
        {advice && <Advice>{advice}</Advice>}
        {children && <div className="verdict-buttons">{children}</div>}
      </div>
    </div>
  );
}

export function Advice({ children }: { readonly children: ReactNode }) {
  return (
    <p className="advice">
      <span className="vh">What to do: </span>
      {children}
    </p>
  );
}

interface ProblemWords {
  readonly why: string;
  readonly advice: string | undefined;
  /** Code and request id, last and small. */
  readonly traces: string;
}

/** The words for anything that a call threw. */
export function wordsOf(error: unknown): ProblemWords {
  if (error instanceof TandemError) {
    const code = error.errorCode === undefined ? error.code : `code ${error.errorCode}`;
    const request = error.requestId && `req ${error.requestId}`;
    return {
      why: error.message,
      advice: undefined,
      traces: [code, request].filter(Boolean).join(", "),
    };
  }
  if (error instanceof TandemNetworkError) {
    return { why: error.message, advice: "See whether the server runs, then try again.", traces: error.fault };
  }
  return { why: error instanceof Error ? error.message : String(error), advice: undefined, traces: "" };
}

export interface ProblemProps {
  /** "Not sent." */
  readonly what: ReactNode;
  readonly error: unknown;
  /** Instead of the error's own: the page tries again by itself. */
  readonly advice?: ReactNode;
  readonly children?: ReactNode;
}

export function Problem({ what, error, advice, children }: ProblemProps) {
  const { why, advice: usual, traces } = wordsOf(error);
  const wait = error instanceof TandemError ? error.retryAfterSeconds : undefined;
  return (
    <div role="alert">
      <Verdict
        tone="bad"
        what={what}
        why={
          <>
            {why} {traces && <span className="mono dim">{traces}</span>}
          </>
        }
        advice={advice || (wait === undefined ? usual : <Countdown key={traces} seconds={wait} />)}
      >
        {children}
      </Verdict>
    </div>
  );
}
