// A signing secret, shown once: what it is for, and code that verifies with it.

import type { ReactNode } from "react";
import { CodeLine, CodeTabs } from "../../components/code.tsx";
import { Verdict } from "../../components/verdict.tsx";
import { VERIFY_SNIPPETS } from "./verify-snippets.ts";

export interface SecretProps {
  readonly secret: string;
  readonly children?: ReactNode;
}

export function Secret({ secret, children }: SecretProps) {
  return (
    <>
      <Verdict
        tone="warn"
        what="Keep this secret now: it is shown once"
        why="Every webhook is signed with it. Without it your server cannot tell ours from forged ones."
      />
      <section className="webhook-secret">
        <CodeLine text={secret} language="plain" />
        <CodeTabs label="Verify it" tabs={VERIFY_SNIPPETS} />
        <div className="row">{children}</div>
      </section>
    </>
  );
}
