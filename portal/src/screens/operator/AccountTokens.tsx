// The tokens of an account: an operator makes a second one, shown once, and deletes either.

import type { TokenOrder } from "@tandem/sdk";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { CodeLine } from "../../components/code.tsx";
import { confirm } from "../../components/dialog.tsx";
import { Section } from "../../components/page.tsx";
import { TokenRights } from "../../components/token-rights.tsx";
import { useDeed, useIsAdmin } from "./operator-parts.tsx";

export function AccountTokens({ accountSid }: { readonly accountSid: string }) {
  const isAdmin = useIsAdmin();
  const [shown, setShown] = useState<string>();
  const [rights, setRights] = useState<TokenOrder>({});
  const create = useDeed({
    run: () => operator.accounts.createToken(accountSid, rights),
    nouns: [],
    done: () => undefined,
    onDone: ({ token }) => setShown(token),
    failed: "Not made.",
  });
  const remove = useDeed({
    run: (n: number) => operator.accounts.deleteToken(accountSid, n),
    nouns: [],
    done: (_, n) => `Token ${n} is no longer good.`,
    failed: "Not deleted.",
  });
  const ask = async (n: number) => {
    const cost = "Programs and pages of the account that signed in with it are out at once.";
    if (await confirm({ question: `Delete token ${n}?`, cost, verb: `Delete token ${n}` })) remove.mutate(n);
  };
  return (
    <Section title="Tokens">
      <div className="operator-block">
        <p className="mid">An account has one or two. Neither can be read; a new one is shown once.</p>
        {isAdmin && <TokenRights rights={rights} onChange={setRights} />}
        {isAdmin && (
          <div className="row">
            <Button busy={create.isPending} onClick={() => create.mutate()}>
              Make a second token
            </Button>
            {[1, 2].map((n) => (
              <Button key={n} kind="danger" busy={remove.isPending} onClick={() => void ask(n)}>
                Delete token {n}
              </Button>
            ))}
          </div>
        )}
        {shown !== undefined && (
          <div role="status">
            <p className="strong">Copy it now, it is not shown again.</p>
            <CodeLine text={shown} language="plain" />
          </div>
        )}
      </div>
    </Section>
  );
}
