// Signing in: as an account with SID and token, as an operator with a token, or by a link that works once
// (`/sign-in#ticket=…`). Credentials are sent to the server and stored nowhere.

import type { SessionOrder } from "@tandem/sdk";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { signIn } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { Logo } from "../../components/icon.tsx";
import { useSearchState } from "../../components/search-state.ts";
import { Tabs } from "../../components/tabs.tsx";
import { Problem } from "../../components/verdict.tsx";
import "./sign-in.css";

const TICKET = /^#ticket=([\w.~-]{1,256})$/;

/** Only addresses of the portal itself, as browsers parse them: `//evil.example` belongs to another server. */
export function safeNext(next = "/"): string {
  const url = URL.canParse(next, location.origin) ? new URL(next, location.origin) : undefined;
  if (url?.origin !== location.origin || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search + url.hash;
}

export function SignInScreen() {
  const [{ next }] = useSearchState();
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const enter = async (credentials: SessionOrder) => {
    setBusy(true);
    setError(undefined);
    try {
      await signIn(credentials);
      await navigate({ href: safeNext(next), replace: true });
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  useTicket(enter);
  useEffect(() => {
    document.title = "Sign in · Tandem";
  }, []);
  return (
    <main className="sign-in">
      <div className="sign-in-brand">
        <Logo />
        <span>Tandem</span>
      </div>
      <h1>Sign in</h1>
      {error !== undefined && <Problem what="Not signed in" error={error} />}
      <Tabs
        label="Sign in as"
        tabs={[
          { id: "account", label: "Account", content: <AccountForm isBusy={isBusy} onEnter={enter} /> },
          { id: "operator", label: "Operator", content: <OperatorForm isBusy={isBusy} onEnter={enter} /> },
        ]}
      />
      <p className="dim small">
        In the sandbox <span className="mono">npm start</span> prints a link that signs you in once.
      </p>
    </main>
  );
}

/** Uses the one-time link once, and removes it from the address before any other code can read it. */
function useTicket(enter: (credentials: SessionOrder) => Promise<void>): void {
  const isUsed = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a ticket is used once, when the page opens
  useEffect(() => {
    const [, ticket] = TICKET.exec(location.hash) ?? [];
    if (ticket === undefined || isUsed.current) return;
    isUsed.current = true;
    history.replaceState(history.state, "", `${location.pathname}${location.search}`);
    void enter({ ticket });
  }, []);
}

interface FormProps {
  readonly isBusy: boolean;
  readonly onEnter: (credentials: SessionOrder) => Promise<void>;
}

function AccountForm({ isBusy, onEnter }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    void onEnter({ accountSid: String(given.get("sid")).trim(), token: String(given.get("token")).trim() });
  };
  return (
    <form onSubmit={submit}>
      <Field label="Account SID">
        {(given) => <Input {...given} name="sid" required className="mono" autoComplete="username" placeholder="AC…" />}
      </Field>
      <Field label="Token">
        {(given) => <Input {...given} name="token" type="password" required autoComplete="current-password" />}
      </Field>
      <Button kind="primary" type="submit" busy={isBusy}>
        Sign in
      </Button>
    </form>
  );
}

function OperatorForm({ isBusy, onEnter }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void onEnter({ operatorToken: String(new FormData(event.currentTarget).get("token")).trim() });
  };
  return (
    <form onSubmit={submit}>
      <Field label="Operator token">
        {(given) => <Input {...given} name="token" type="password" required autoComplete="current-password" />}
      </Field>
      <Button kind="primary" type="submit" busy={isBusy}>
        Sign in
      </Button>
    </form>
  );
}
