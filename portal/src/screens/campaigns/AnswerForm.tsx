// Answers the losing carrier: the form asks only for what may resolve the exception, and leaves the rest unchanged.

import type { PortAnswerData, PortOrder } from "@tandem/sdk";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Input } from "../../components/field.tsx";
import { Form, TextField } from "../../components/form.tsx";
import { tableOf } from "../../components/lookup-table.ts";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";
import { CAMPAIGN_NOUNS } from "./campaign-queries.ts";
import { FileField, filesOf } from "./FileField.tsx";

interface AnswerFormProps {
  readonly order: PortOrder;
  readonly numbers: readonly string[];
}

type Values = Readonly<Record<string, string>>;

interface FieldSpec {
  readonly name: string;
  readonly label: string;
  readonly type?: string;
  readonly value: (order: PortOrder) => string;
}

const field = (name: string, label: string, value: FieldSpec["value"], type = "text"): FieldSpec => ({
  name,
  label,
  value,
  type,
});

/** The fields of each part of an order that may be corrected. */
const PARTS = tableOf<readonly FieldSpec[]>({
  accountNumber: [field("accountNumber", "Account number", (order) => order.accountNumber)],
  billingTelephoneNumber: [
    field("billingTelephoneNumber", "Billing telephone number", (order) => order.billingTelephoneNumber ?? "", "tel"),
  ],
  losingCarrier: [field("losingCarrier", "Losing carrier", (order) => order.losingCarrier ?? "")],
  requestedOn: [field("requestedOn", "Date asked for", (order) => order.requestedOn?.slice(0, 10) ?? "", "date")],
  subscriber: [
    field("name", "Name on the account", (order) => order.subscriber.name),
    field("authorizedPerson", "Authorized person", (order) => order.subscriber.authorizedPerson),
  ],
  serviceAddress: [
    field("street", "Street", (order) => order.serviceAddress.street),
    field("city", "City", (order) => order.serviceAddress.city),
    field("state", "State", (order) => order.serviceAddress.state),
    field("postalCode", "Postal code", (order) => order.serviceAddress.postalCode),
  ],
});

function changeOf(order: PortOrder, values: Values, numbers: readonly string[]): PortAnswerData {
  const has = (part: string) => order.answerWith.includes(part);
  const { accountNumber, billingTelephoneNumber, losingCarrier, requestedOn, ...rest } = values;
  const { name = "", authorizedPerson = "", street = "", city = "", state = "", postalCode = "" } = rest;
  const { subscriber, serviceAddress } = order;
  const phones = numbers.map((number) => ({ number, pin: values[number]?.trim() || null }));
  return {
    ...(accountNumber && { accountNumber }),
    ...(billingTelephoneNumber && { billingTelephoneNumber }),
    ...(losingCarrier && { losingCarrier }),
    ...(requestedOn && { requestedOn }),
    ...(has("subscriber") && { subscriber: { ...subscriber, name, authorizedPerson } }),
    ...(has("serviceAddress") && { serviceAddress: { ...serviceAddress, street, city, state, postalCode } }),
    ...(has("phones") && { phones: phones.filter(({ pin }) => pin !== null) }),
  };
}

export function AnswerForm({ order, numbers }: AnswerFormProps) {
  const fields = order.answerWith.flatMap((part) => PARTS.get(part) ?? []);
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(fields.map(({ name, value }) => [name, value(order)])),
  );
  const [files, setFiles] = useState<readonly File[]>([]);
  const answer = useAction({
    run: async () => client.portIn.answer(order.sid, changeOf(order, values, numbers), await filesOf(files)),
    nouns: CAMPAIGN_NOUNS,
    done: () => "Answered. The losing carrier looks at it again.",
  });
  const set = (name: string, value: string) => setValues((before) => ({ ...before, [name]: value }));
  const wantsPins = order.answerWith.includes("phones");
  const isEmpty = wantsPins && !numbers.some((number) => values[number]?.trim());
  return (
    <Form className="answer-form" onSubmit={answer.start}>
      {wantsPins &&
        numbers.map((number) => (
          <PinField key={number} number={number} value={values[number] ?? ""} onChange={(pin) => set(number, pin)} />
        ))}
      {fields.map(({ name, label, type }) => (
        <TextField
          key={name}
          label={label}
          type={type}
          value={values[name] ?? ""}
          onChange={(value) => set(name, value)}
        />
      ))}
      {order.answerWith.includes("files") && (
        <FileField label="A new letter of authorization" files={files} onChange={setFiles} />
      )}
      {order.refused?.what === "answer" && <p className="mid">The last answer was refused: {order.refused.reason}</p>}
      {answer.error && <Problem what="Not answered" error={answer.error} />}
      {order.answerWith.length > 0 && (
        <Button type="submit" kind="primary" busy={answer.isPending} disabled={isEmpty}>
          Answer the carrier
        </Button>
      )}
      <LeaveBehind order={order} count={numbers.length} />
    </Form>
  );
}

interface PinFieldProps {
  readonly number: string;
  readonly value: string;
  readonly onChange: (pin: string) => void;
}

function PinField({ number, value, onChange }: PinFieldProps) {
  return (
    <div className="pin-field">
      <PhoneNumber value={number} />
      <Input
        className="mono"
        aria-label={`PIN of ${number}`}
        placeholder="PIN"
        inputMode="numeric"
        maxLength={32}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

function LeaveBehind({ order, count }: { readonly order: PortOrder; readonly count: number }) {
  const cancel = useAction({
    ask: () => ({
      question: "Cancel what is left of this port order?",
      cost: "Every number of it that has not moved stays with its carrier, and cannot send under this campaign.",
      verb: "Leave them behind",
    }),
    run: () => client.portIn.cancel(order.sid),
    nouns: CAMPAIGN_NOUNS,
    done: () => "Cancelled: what has not moved stays with its carrier.",
    failed: "Not cancelled.",
  });
  return (
    <p className="leave-behind">
      or{" "}
      <button type="button" className="link" disabled={cancel.isPending} onClick={() => cancel.start()}>
        leave {count === 1 ? "it" : `the ${count}`} behind
      </button>
    </p>
  );
}
