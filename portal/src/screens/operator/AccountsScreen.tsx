// Accounts: the list, creating one with its token shown once, and finding any account's request by its id.

import { type Account, FEATURES, type Feature, type NewAccount, type TokenOrder } from "@tandem/sdk";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { CodeLine } from "../../components/code.tsx";
import { Empty, PageHead, Section } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { TokenRights } from "../../components/token-rights.tsx";
import { FeatureRequests } from "./FeatureRequests.tsx";
import { Checks, DeedForm, TextField, useDeed, useIsAdmin, usePages } from "./operator-parts.tsx";
import { RequestFinder } from "./RequestFinder.tsx";

const COLUMNS: readonly Column<Account>[] = [
  { id: "name", head: "Name", cell: ({ name }) => <b className="strong">{name}</b>, phone: "first" },
  {
    id: "status",
    head: "Status",
    cell: ({ status }) => <Status kind="account" value={status} />,
    phone: "first-right",
  },
  { id: "sid", head: "Sid", cell: ({ sid }) => <Sid value={sid} />, phone: "second-right" },
  { id: "features", head: "May", cell: ({ features }) => features.join(", ") },
  { id: "why", head: "Reason", cell: ({ suspendedReason }) => suspendedReason, grow: true, phone: "second" },
  { id: "since", head: "Since", cell: ({ createdOn }) => <Time at={createdOn} form="day" />, align: "right" },
];

export function AccountsScreen() {
  usePlace([{ label: "Accounts" }]);
  const isAdmin = useIsAdmin();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewAccount>();
  const { rows, source, onEnd } = usePages(["accounts", "list"], (options) => operator.accounts.list(options));
  return (
    <div className="operator-page">
      <PageHead
        title="Accounts"
        sub="Who uses this service, and what each may"
        buttons={
          isAdmin && (
            <Button kind="primary" onClick={() => setCreating(true)}>
              Create an account
            </Button>
          )
        }
      />
      {isCreating && (
        <CreateAccount
          onClose={() => setCreating(false)}
          onCreated={(account) => {
            setCreating(false);
            setCreated(account);
          }}
        />
      )}
      {created && <Created account={created} />}
      <FeatureRequests />
      <RequestFinder />
      <div className="operator-list">
        <Table
          label="Accounts"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ sid }) => sid}
          onOpen={({ sid }) => void navigate({ to: `/operator/accounts/${sid}` })}
          source={source}
          empty={<Empty what="No accounts yet" why="Create one: it gets a sid and a token." />}
          onEnd={onEnd}
        />
      </div>
    </div>
  );
}

interface CreateAccountProps {
  readonly onClose: () => void;
  readonly onCreated: (account: NewAccount) => void;
}

function CreateAccount({ onClose, onCreated }: CreateAccountProps) {
  const [name, setName] = useState("");
  const [features, setFeatures] = useState<readonly Feature[]>([]);
  const [token, setToken] = useState<TokenOrder>({});
  const create = useDeed({
    run: () => operator.accounts.create({ name: name.trim(), features, token }),
    nouns: ["accounts"],
    done: () => undefined,
    onDone: onCreated,
  });
  return (
    <DeedForm
      title="Create an account"
      verb="Create it"
      failed="Not created"
      deed={create}
      ready={name.trim() !== ""}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <div className="operator-fields">
        <TextField label="Name" value={name} onChange={setName} placeholder="Harbor View Dental" />
      </div>
      <Checks legend="It may use" values={FEATURES} chosen={features} onChange={setFeatures} />
      <TokenRights rights={token} onChange={setToken} />
    </DeedForm>
  );
}

function Created({ account: { name, sid, token } }: { readonly account: NewAccount }) {
  return (
    <Section title={`${name} is created`}>
      <div className="operator-block" role="status">
        <p className="strong">Its first token: copy it now, it is not shown again.</p>
        <CodeLine text={`TANDEM_ACCOUNT_SID=${sid} TANDEM_TOKEN=${token}`} language="plain" />
        <ButtonLink to={`/operator/accounts/${sid}`} small>
          Open the account
        </ButtonLink>
      </div>
    </Section>
  );
}
