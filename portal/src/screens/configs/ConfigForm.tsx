// The settings of a MessagingConfig: its campaign, when it sends, and what keywords are answered with.

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { client } from "../../api/client.ts";
import { itemsQuery } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { Form, SelectField, TextField } from "../../components/form.tsx";
import { Section } from "../../components/page.tsx";
import { Problem } from "../../components/verdict.tsx";
import type { ConfigDraft } from "./config-draft.ts";
import { SendingTimesFields } from "./SendingTimesFields.tsx";

const CAMPAIGNS_MAX = 1000;

const campaignsQuery = itemsQuery(["campaigns", "of-configs"], (options) =>
  client.campaigns.list({ pageSize: CAMPAIGNS_MAX, ...options }),
);

export interface ConfigFormProps {
  readonly draft: ConfigDraft;
  readonly onChange: (draft: ConfigDraft) => void;
  readonly verb: string;
  readonly isChanged: boolean;
  readonly action: { readonly isPending: boolean; readonly error: unknown; readonly start: () => void };
  /** Further buttons. */
  readonly children?: ReactNode;
}

export function ConfigForm({ draft, onChange, verb, isChanged, action, children }: ConfigFormProps) {
  const change = (part: Partial<ConfigDraft>) => onChange({ ...draft, ...part });
  return (
    <Form onSubmit={action.start}>
      <div className="columns columns-top">
        <Section title="Sending">
          <div className="config-fields">
            <TextField
              label="Name"
              hint="For people. With a campaign's id anywhere in it, that campaign is linked when it comes."
              maxLength={64}
              value={draft.name}
              onChange={(name) => change({ name })}
            />
            <CampaignField value={draft.tcrCampaignId} onChange={(tcrCampaignId) => change({ tcrCampaignId })} />
            <TextField
              label="Expires after, in minutes"
              hint="A text that could not be sent for so long is given up, unless it says otherwise itself."
              type="number"
              min={1}
              value={draft.expiryMinutes}
              onChange={(expiryMinutes) => change({ expiryMinutes })}
            />
          </div>
        </Section>
        <Section title="Sending times">
          <SendingTimesFields times={draft.times} onChange={(times) => change({ times })} />
        </Section>
        <Keyword
          title="Opting out"
          usual="STOP, UNSUBSCRIBE, CANCEL and the like"
          reply={draft.optOutReply}
          onReply={(optOutReply) => change({ optOutReply })}
          keywords={draft.optOutKeywords}
          onKeywords={(optOutKeywords) => change({ optOutKeywords })}
        />
        <Keyword
          title="Opting in"
          usual="START, UNSTOP, and YES of somebody who opted out"
          reply={draft.optInReply}
          onReply={(optInReply) => change({ optInReply })}
          keywords={draft.optInKeywords}
          onKeywords={(optInKeywords) => change({ optInKeywords })}
        />
        <Keyword
          title="Asking for help"
          usual="HELP, INFO"
          reply={draft.helpReply}
          onReply={(helpReply) => change({ helpReply })}
          keywords={draft.helpKeywords}
          onKeywords={(helpKeywords) => change({ helpKeywords })}
        />
      </div>
      <div className="config-end">
        {action.error !== null && <Problem what="Not saved" error={action.error} />}
        <div className="row">
          <Button
            type="submit"
            kind="primary"
            busy={action.isPending}
            disabled={!isChanged || draft.name.trim() === ""}
          >
            {verb}
          </Button>
          {children}
        </div>
      </div>
    </Form>
  );
}

function CampaignField({ value, onChange }: { readonly value: string; readonly onChange: (id: string) => void }) {
  const { data: campaigns = [] } = useQuery(campaignsQuery);
  const known = campaigns.map(({ tcrCampaignId, name }) => [tcrCampaignId, `${tcrCampaignId}, ${name}`] as const);
  const own = value === "" || known.some(([id]) => id === value) ? [] : [[value, value] as const];
  return (
    <SelectField
      label="Campaign"
      hint="Local numbers of +1 send only under one. A campaign has one config, and a config one campaign."
      value={value}
      onChange={onChange}
      options={[["", "None"], ...known, ...own]}
    />
  );
}

interface KeywordProps {
  readonly title: string;
  /** The keywords that count everywhere. */
  readonly usual: string;
  readonly reply: string;
  readonly onReply: (text: string) => void;
  readonly keywords: string;
  readonly onKeywords: (text: string) => void;
}

const REPLY_MAX = 320;

function Keyword({ title, usual, reply, onReply, keywords, onKeywords }: KeywordProps) {
  return (
    <Section title={title}>
      <div className="config-fields">
        <Field label={`Reply: ${title.toLowerCase()}`} hint="Empty: the usual words.">
          {(given) => (
            <textarea
              {...given}
              className="input"
              rows={3}
              maxLength={REPLY_MAX}
              value={reply}
              onChange={(event) => onReply(event.target.value)}
            />
          )}
        </Field>
        <TextField
          label={`Further keywords: ${title.toLowerCase()}`}
          hint={`Beside ${usual}. Separate them by commas; the whole text must be the keyword.`}
          className="mono"
          value={keywords}
          onChange={onKeywords}
        />
      </div>
    </Section>
  );
}
