// Creates a subscription. Its secret is shown once, here, with what to do with it.

import { EVENT_TYPES, PAYLOAD_SHAPES, type PayloadShape, type SubscribedType, type WebhookOrder } from "@tandem/sdk";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Check } from "../../components/check.tsx";
import { Drawer } from "../../components/drawer.tsx";
import { Form, SelectField, TextField } from "../../components/form.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";
import { Secret } from "./Secret.tsx";

interface Draft {
  readonly url: string;
  readonly backupUrl: string;
  readonly bearer: string;
  readonly isAll: boolean;
  readonly types: readonly SubscribedType[];
  readonly shape: PayloadShape;
}

const EMPTY: Draft = { url: "", backupUrl: "", bearer: "", isAll: true, types: [], shape: "A" };

const SHAPES: Record<PayloadShape, string> = {
  A: "A: capitalised names",
  B: "B: lower camel case",
  Twilio: "Twilio: form parameters",
};

function orderOf({ url, backupUrl, bearer, isAll, types, shape }: Draft): WebhookOrder {
  return {
    url: url.trim(),
    types: isAll ? ["*"] : types,
    ...(backupUrl.trim() && { backupUrl: backupUrl.trim() }),
    ...(bearer && { authorizationBearer: bearer }),
    payloadShape: shape,
  };
}

export function Subscribe({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState(EMPTY);
  const navigate = useNavigate();
  const making = useAction({ run: () => client.webhooks.create(orderOf(draft)), nouns: ["webhooks"] });
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    making.reset();
  };
  if (making.data) {
    const { sid, secret } = making.data.data;
    return (
      <Drawer label="Subscribed" title="Subscribed" onClose={onClose}>
        <Secret secret={secret}>
          <Button kind="primary" onClick={() => void navigate({ to: `/webhooks/${sid}` })}>
            I have kept it
          </Button>
        </Secret>
      </Drawer>
    );
  }
  const isReady = draft.url.trim() !== "" && (draft.isAll || draft.types.length > 0);
  return (
    <Drawer label="Subscribe" title="Subscribe" sub="Events are posted to your address, signed." onClose={onClose}>
      {making.error && <Problem what="Not subscribed" error={making.error} />}
      <Form className="drawer-form" onSubmit={making.start}>
        <Addresses draft={draft} onChange={change} />
        <Types draft={draft} onChange={change} />
        <More draft={draft} onChange={change} />
        <Button kind="primary" type="submit" busy={making.isPending} disabled={!isReady}>
          Subscribe
        </Button>
      </Form>
    </Drawer>
  );
}

interface DraftProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
}

function Addresses({ draft, onChange }: DraftProps) {
  return (
    <>
      <TextField
        label="Address"
        hint="Success is any 2xx within 15 seconds."
        autoFocus
        type="url"
        inputMode="url"
        placeholder="https://hooks.example.com/tandem"
        value={draft.url}
        onChange={(url) => onChange({ url })}
      />
      <TextField
        label="Backup address"
        hint="Tried at once when the first fails. May be left empty."
        type="url"
        inputMode="url"
        value={draft.backupUrl}
        onChange={(backupUrl) => onChange({ backupUrl })}
      />
    </>
  );
}

function Types({ draft, onChange }: DraftProps) {
  const toggle = (type: SubscribedType, isChosen: boolean) => {
    const others = draft.types.filter((known) => known !== type);
    onChange({ types: isChosen ? [...others, type] : others });
  };
  return (
    <fieldset className="webhook-types">
      <legend>Events</legend>
      <Check
        label="All of them"
        hint="But for InboundCallReceivedWebhook, which your server answers with a call script."
        checked={draft.isAll}
        onChange={(isAll) => onChange({ isAll })}
      />
      {!draft.isAll &&
        EVENT_TYPES.map((type) => (
          <Check
            key={type}
            label={<span className="mono">{type}</span>}
            checked={draft.types.includes(type)}
            onChange={(isChosen) => toggle(type, isChosen)}
          />
        ))}
    </fieldset>
  );
}

function More({ draft, onChange }: DraftProps) {
  return (
    <>
      <SelectField
        label="Shape"
        options={PAYLOAD_SHAPES.map((shape) => [shape, SHAPES[shape]] as const)}
        value={draft.shape}
        onChange={(shape) => onChange({ shape })}
      />
      <TextField
        label="Bearer"
        hint="Sent as Authorization: Bearer …, and never shown again. May be left empty."
        type="password"
        autoComplete="new-password"
        value={draft.bearer}
        onChange={(bearer) => onChange({ bearer })}
      />
    </>
  );
}
