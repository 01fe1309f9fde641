// Who wants no texts from an account, for support: did that person opt out, and how?

import { operator } from "../../api/client.ts";
import { NoneSuch } from "../../components/none-such.tsx";
import { OPT_OUT_COLUMNS, optOutKey } from "../../components/opt-out-columns.tsx";
import { Empty } from "../../components/page.tsx";
import { usePages } from "../../components/pages.ts";
import { Table } from "../../components/table.tsx";
import { useTextFilter } from "./operator-parts.tsx";

const DIGITS_MIN = 3;

export function OwnedOptOuts({ accountSid }: { readonly accountSid: string }) {
  const [typed, numberField] = useTextFilter("Number", "number");
  const number = typed.replace(/\D/g, "").length >= DIGITS_MIN ? typed : undefined;
  const pages = usePages(
    ["optOuts", "owned", accountSid, number],
    (options) => operator.account(accountSid).optOuts.list({ ...options, ...(number && { number }) }),
    { keepsRows: true },
  );
  return (
    <div className="operator-short">
      <div className="list-filter">{numberField}</div>
      <Table
        {...pages}
        label="Opt-outs of the account"
        columns={OPT_OUT_COLUMNS}
        keyOf={optOutKey}
        empty={
          <NoneSuch what={`${number} has not opted out`} filters={["number"]}>
            <Empty what="Nobody has opted out" why="People who write STOP, or whom the account enters, show here." />
          </NoneSuch>
        }
      />
    </div>
  );
}
