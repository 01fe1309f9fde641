// Instead of every screen once another account has signed in in this browser: all its tabs share one session, and this
// tab must not act for an account that it does not show.

import type { Session } from "@tandem/sdk";
import { useLocation } from "@tanstack/react-router";
import { shownSession } from "../api/client.ts";
import { Button } from "../components/button.tsx";
import { Verdict } from "../components/verdict.tsx";

export function OtherAccount({ now }: { readonly now: Session }) {
  const { href } = useLocation();
  const before = shownSession();
  return (
    <main className="other-account">
      <h1>This tab has stopped</h1>
      <Verdict
        tone="warn"
        what={<Owner session={now} verb="has signed in in this browser" />}
        why={
          <>
            {before && <Owner session={before} verb="is what this tab shows." />} All tabs of a browser share one
            sign-in. Whatever this tab has asked for since was refused, so nothing was done for the wrong account.
          </>
        }
        advice="Use another browser profile to have both open."
      >
        <Button kind="primary" onClick={() => location.assign("/")}>
          Go on as {now.name}
        </Button>
        {before && (
          <Button onClick={() => location.assign(`/sign-in?next=${encodeURIComponent(href)}`)}>
            Sign in as {before.name} again
          </Button>
        )}
      </Verdict>
    </main>
  );
}

function Owner({ session, verb }: { readonly session: Session; readonly verb: string }) {
  const { kind, name, accountSid } = session;
  return (
    <>
      {kind === "Operator" ? "The operator " : "The account "}
      {name} {accountSid && <span className="mono">{accountSid} </span>}
      {verb}
    </>
  );
}
