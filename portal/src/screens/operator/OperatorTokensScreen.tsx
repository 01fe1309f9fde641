// The operators' own tokens: who may do everything, and who only reads. A new one is shown once.

import { type NewOperatorToken, OPERATOR_ROLES, type OperatorRole, type OperatorToken } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { itemsQuery } from "../../api/queries.ts";
import { useSession } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { CodeLine } from "../../components/code.tsx";
import { CommandLine } from "../../components/command-line.tsx";
import { SelectField, TextField } from "../../components/form.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Empty, Section } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useAction } from "../../components/use-action.ts";
import { SectionForm, useIsAdmin, useOpenForm } from "./operator-parts.tsx";

const NOUNS = ["operatorTokens"];
const tokensQuery = itemsQuery(NOUNS, (options) => operator.tokens.list(options));

const COLUMNS: readonly Column<OperatorToken>[] = [
  { id: "name", head: "Name", cell: ({ name }) => <Named name={name} />, phone: "first" },
  { id: "role", head: "Role", cell: ({ role }) => role, phone: "first-right" },
  {
    id: "since",
    head: "Since",
    cell: ({ createdOn }) => <Time at={createdOn} form="day" />,
    grow: true,
    phone: "second",
  },
];

const DELETING: Column<OperatorToken> = {
  id: "delete",
  head: <span className="vh">Actions</span>,
  cell: ({ name }) => <Remove name={name} />,
  align: "right",
  phone: "second-right",
};

function Named({ name }: { readonly name: string }) {
  const isOwn = useSession().name === name;
  return (
    <>
      <b className="strong">{name}</b> {isOwn && <span className="tag">this session's</span>}
    </>
  );
}

export function OperatorTokensScreen() {
  usePlace([{ label: "Operator tokens" }]);
  const isAdmin = useIsAdmin();
  const query = useQuery(tokensQuery);
  const [made, setMade] = useState<NewOperatorToken>();
  const making = useOpenForm("Make a token", (close) => <Make onClose={close} onMade={setMade} />);
  return (
    <ListPage
      title="Operator tokens"
      sub="Whose name stands in the audit log; support only reads"
      buttons={making.button}
      above={
        <>
          {making.form}
          {made && (
            <Section title={`${made.name} has a token`}>
              <div className="operator-block" role="status">
                <p className="strong">Copy it now, it is not shown again.</p>
                <CodeLine text={made.token} language="plain" />
              </div>
            </Section>
          )}
        </>
      }
    >
      <Table
        label="Operator tokens"
        columns={isAdmin ? [...COLUMNS, DELETING] : COLUMNS}
        rows={query.data ?? []}
        keyOf={({ name }) => name}
        source={query}
        empty={
          <Empty what="No tokens" why="Each operator has one of their own. Make it here, or from a terminal:">
            <CommandLine words="tokens create ann@example.com --role support" />
          </Empty>
        }
      />
    </ListPage>
  );
}

function Remove({ name }: { readonly name: string }) {
  const isOwn = useSession().name === name;
  const remove = useAction({
    ask: () => ({
      question: `Delete the token ${name}?`,
      cost: `Whoever signed in with it is out at once${isOwn ? ", and so are you" : ""}.`,
      verb: "Delete it",
    }),
    run: () => operator.tokens.remove(name),
    nouns: NOUNS,
    done: () => `The token ${name} is no longer good.`,
    failed: "Not deleted.",
  });
  return (
    <Button small kind="danger" busy={remove.isPending} onClick={() => remove.start()}>
      Delete<span className="vh"> the token {name}</span>
    </Button>
  );
}

interface MakeProps {
  readonly onClose: () => void;
  readonly onMade: (token: NewOperatorToken) => void;
}

function Make({ onClose, onMade }: MakeProps) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<OperatorRole>("support");
  const make = useAction({
    run: () => operator.tokens.create({ name: name.trim(), role }),
    nouns: NOUNS,
    onDone: ({ data }) => {
      onClose();
      onMade(data);
    },
  });
  return (
    <SectionForm
      title="Make a token"
      verb="Make it"
      failed="Not made"
      action={make}
      ready={name.trim() !== ""}
      onClose={onClose}
    >
      <div className="operator-fields">
        <TextField label="Name" hint="Of the person or the program." value={name} onChange={setName} />
        <SelectField
          label="Role"
          hint="support reads, admin does everything."
          options={OPERATOR_ROLES}
          value={role}
          onChange={setRole}
        />
      </div>
    </SectionForm>
  );
}
