// Tokens of the account, and the secret that signs the callbacks given with a message. New ones are shown once.

import type { OwnAccount, TokenOrder } from "@tandem/sdk";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { CodeLine } from "../../components/code.tsx";
import { Facts } from "../../components/page.tsx";
import { Time } from "../../components/time.tsx";
import { TokenRights } from "../../components/token-rights.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";

interface Shown {
  readonly what: string;
  readonly text: string;
}

export function Tokens({ account }: { readonly account: OwnAccount }) {
  const { tokens, signingToken, webhookSecretCreatedOn: secretSince } = account;
  const session = useSession();
  const [shown, setShown] = useState<Shown>();
  const [rights, setRights] = useState<TokenOrder>({});
  const create = useAction({
    run: () => client.account.createToken(rights),
    nouns: ["account"],
    onDone: ({ data }) => setShown({ what: `Token ${data.n}`, text: data.token }),
  });
  const rotate = useAction({
    run: () => client.account.rotateWebhookSecret(),
    nouns: ["account"],
    onDone: ({ data }) => setShown({ what: "Secret of callbacks", text: data.secret }),
  });
  const fault = create.error ?? rotate.error;
  return (
    <div className="account-block">
      <p className="mid">
        An account has up to two tokens, so that one can be replaced while the other is in use: make the second, change
        your programs, delete the first.
      </p>
      <Facts
        facts={tokens.map((token) => [
          `Token ${token.n}`,
          <TokenFact key={token.n} {...{ token, signingToken }} isOwn={token.n === session.token} />,
        ])}
      />
      <TokenRights rights={rights} onChange={setRights} />
      <div className="row">
        <Button busy={create.isPending} onClick={() => create.start()}>
          Make a second token
        </Button>
        {tokens.map(({ n, signs }) => signs && n !== signingToken && <PromoteToken key={n} n={n} />)}
        {tokens.map(({ n }) => (
          <DeleteToken key={n} n={n} isOwn={n === session.token} />
        ))}
      </div>
      <p className="mid">
        Callbacks that messages bring along{signingToken === null && ", and webhooks in Twilio's shape,"} are signed
        with the account's secret
        {secretSince && (
          <>
            {" "}
            (since <Time at={secretSince} form="day" />)
          </>
        )}
        .
      </p>
      <div className="row">
        <Button busy={rotate.isPending} onClick={() => rotate.start()}>
          Make a new secret
        </Button>
      </div>
      {fault && <Problem what="Not made" error={fault} />}
      {shown && (
        <div role="status">
          <p className="strong">{shown.what}: copy it now, it is not shown again.</p>
          <CodeLine text={shown.text} language="plain" />
        </div>
      )}
    </div>
  );
}

interface TokenFactProps {
  readonly token: OwnAccount["tokens"][number];
  readonly signingToken: OwnAccount["signingToken"];
  /** This session was opened by it. */
  readonly isOwn: boolean;
}

function TokenFact({ token: { n, signs, toolWrites, createdOn, lastUsedOn }, signingToken, isOwn }: TokenFactProps) {
  return (
    <span className="account-token">
      since <Time at={createdOn} form="day" />,{" "}
      {lastUsedOn === null ? (
        "not used yet"
      ) : (
        <>
          last used <Time at={lastUsedOn} form="day" />
        </>
      )}
      {signs && (n === signingToken ? ", signs" : ", may sign")}
      {toolWrites && ", tools may write with it"}
      {isOwn && <b className="tag">this session's</b>}
    </span>
  );
}

function PromoteToken({ n }: { readonly n: number }) {
  const promote = useAction({
    ask: () => ({
      question: `Sign with token ${n}?`,
      cost: "Receivers that know only the older one refuse what comes from now on: let them accept both before.",
      verb: `Sign with token ${n}`,
    }),
    run: () => client.account.promoteToken(n),
    nouns: ["account"],
    done: () => `Token ${n} signs.`,
    failed: "Not changed.",
  });
  return (
    <Button busy={promote.isPending} onClick={() => promote.start()}>
      Sign with token {n}
    </Button>
  );
}

function DeleteToken({ n, isOwn }: { readonly n: number; readonly isOwn: boolean }) {
  const remove = useAction({
    ask: () => ({
      question: `Delete token ${n}?`,
      cost: `Programs and pages that signed in with it are out at once${isOwn ? ", and so are you" : ""}.`,
      verb: `Delete token ${n}`,
    }),
    run: () => client.account.deleteToken(n),
    nouns: ["account"],
    done: () => `Token ${n} is no longer good.`,
    failed: "Not deleted.",
  });
  return (
    <Button kind="danger" busy={remove.isPending} onClick={() => remove.start()}>
      Delete token {n}
    </Button>
  );
}
