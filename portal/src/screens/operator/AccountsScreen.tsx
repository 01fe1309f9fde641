// Accounts: the list, creating one with its token shown once, and finding any account's request by its id.

import { type Account, FEATURES, type Feature, type NewAccount, type TokenOrder } from "@tandem/sdk";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { ButtonLink } from "../../components/button.tsx";
import { CodeLine } from "../../components/code.tsx";
import { CommandLine } from "../../components/command-line.tsx";
import { TextField } from "../../components/form.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Empty, Section } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { usePlace } from "../../components/place.ts";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { TokenRights } from "../../components/token-rights.tsx";
import { useAction } from "../../components/use-action.ts";
import { FeatureRequests } from "./FeatureRequests.tsx";
import { Checks, SectionForm, useOpenForm } from "./operator-parts.tsx";
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
  const [created, setCreated] = useState<NewAccount>();
  const creating = useOpenForm("Create an account", (close) => (
    <CreateAccount onClose={close} onCreated={setCreated} />
  ));
  const pages = usePages(["accounts", "list"], (options) => operator.accounts.list(options));
  return (
    <ListPage
      title="Accounts"
      sub="Who uses this service, and what each may"
      buttons={creating.button}
      above={
        <>
          {creating.form}
          {created && <Created account={created} />}
          <FeatureRequests />
          <RequestFinder />
        </>
      }
    >
      <Table
        {...pages}
        label="Accounts"
        columns={COLUMNS}
        keyOf={({ sid }) => sid}
        pageOf={({ sid }) => `/operator/accounts/${sid}`}
        empty={
          <Empty what="No accounts yet" why="Create one: it gets a sid and a token, which is shown once.">
            <CommandLine words="accounts create Shop --features voice" />
          </Empty>
        }
      />
    </ListPage>
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
  const create = useAction({
    run: () => operator.accounts.create({ name: name.trim(), features, token }),
    nouns: ["accounts"],
    onDone: ({ data }) => {
      onClose();
      onCreated(data);
    },
  });
  return (
    <SectionForm
      title="Create an account"
      verb="Create it"
      failed="Not created"
      action={create}
      ready={name.trim() !== ""}
      onClose={onClose}
    >
      <div className="operator-fields">
        <TextField label="Name" value={name} onChange={setName} placeholder="Harbor View Dental" />
      </div>
      <Checks legend="It may use" values={FEATURES} chosen={features} onChange={setFeatures} />
      <TokenRights rights={token} onChange={setToken} />
    </SectionForm>
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
