// What blocks a move. Each blocker shows the problem and who must act next, and contains the form that clears it.

import type { Migration, MigrationBlocker, MigrationBlockerCode, PortOrder } from "@tandem/sdk";
import { type ReactNode, useId } from "react";
import { client } from "../../api/client.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Shape } from "../../components/shape.tsx";
import { useAction } from "../../components/use-action.ts";
import { Advice, Problem } from "../../components/verdict.tsx";
import { AnswerForm } from "./AnswerForm.tsx";
import { CnpId } from "./CnpId.tsx";
import { CAMPAIGN_NOUNS } from "./campaign-queries.ts";
import { KeepOneForm, LinkForm, LinkOrMake, MakeConfigForm } from "./LinkForms.tsx";
import { Said } from "./Said.tsx";

interface BlockersProps {
  readonly migration: Migration;
  readonly orders: readonly PortOrder[];
}

export function Blockers({ migration, orders }: BlockersProps) {
  return migration.blockers.map((blocker) => (
    <Blocker
      key={`${blocker.code} ${blocker.numbers.join()}`}
      blocker={blocker}
      migration={migration}
      order={orderOf(blocker, migration, orders)}
    />
  ));
}

/** The port order that a blocker is about. */
function orderOf(blocker: MigrationBlocker, { numbers }: Migration, orders: readonly PortOrder[]) {
  const sid = numbers.find(({ number }) => blocker.numbers.includes(number))?.portOrderSid;
  return orders.find((order) => order.sid === sid);
}

interface BlockerProps {
  readonly blocker: MigrationBlocker;
  readonly migration: Migration;
  readonly order: PortOrder | undefined;
}

function Blocker(props: BlockerProps) {
  const { blocker, order, migration } = props;
  const id = useId();
  const form = FORMS[blocker.code]?.(props);
  return (
    <section className="blocker" aria-labelledby={id}>
      <Shape name="act" tone="warn" large />
      <div className="blocker-words">
        <h2 id={id}>{titleOf(blocker, order)}</h2>
        <p className="mid">
          <Said text={blocker.says} /> {order?.reasonCode && <span className="mono">{order.reasonCode}</span>}
        </p>
        <Advice>{adviceOf(blocker, order, migration.campaign !== null) ?? <Said text={blocker.todo} />}</Advice>
      </div>
      {form && <div className="blocker-form">{form}</div>}
    </section>
  );
}

const TITLES: Record<MigrationBlockerCode, string> = {
  FeatureOff: "Your account may not move campaigns yet",
  NoRegistry: "There is no registry here",
  Disputed: "It is not clear whose campaign it is",
  NoConfig: "No config names the campaign",
  SeveralConfigs: "Several configs name the campaign",
  NotLinked: "The campaign is here and linked to no config",
  Declined: "The registry declined the move",
  Cancelled: "The move was cancelled in the registry",
  Expired: "The move expired in the registry",
  CampaignLeft: "The campaign has left",
  CampaignSuspended: "The campaign is suspended",
  CampaignExpired: "The campaign has expired",
  PortException: "are held up",
  PortFailed: "did not come",
  MessagingNotPorted: "came without messaging",
  NumbersWithoutConfig: "belong to no config",
};

function titleOf({ code, numbers }: MigrationBlocker, order: PortOrder | undefined): string {
  const words = TITLES[code];
  if (!["PortException", "PortFailed", "MessagingNotPorted", "NumbersWithoutConfig"].includes(code)) return words;
  const one = words.replace("are ", "is ").replace("belong ", "belongs ");
  const who = numbers.length === 1 ? `1 number ${one}` : `${numbers.length} numbers ${words}`;
  const isPin = code === "PortException" && order?.reasonCode === "PASSCODE_PIN_INVALID";
  return isPin ? `${who}: ${numbers.length === 1 ? "its" : "their"} PIN is wrong` : who;
}

/** Next to a form, the advice needs no address of the API. */
function adviceOf({ code }: MigrationBlocker, order: PortOrder | undefined, hasCome: boolean): ReactNode {
  if (code === "PortException" && order?.answerWith.includes("phones")) {
    const carrier = order.losingCarrier ?? "the losing carrier";
    return `Ask ${carrier} for the port-out PIN of each (often not the voicemail PIN) and give it here. PINs are stored encrypted and never shown again.`;
  }
  if (code === "PortException" && order && order.answerWith.length > 0) {
    return "Put it right here: the losing carrier looks at it again.";
  }
  if (code === "NoConfig" && hasCome) return "Choose the config that it is to send by, or make one for it.";
  if (code === "NotLinked") return "Choose the config that it is to send by.";
  if (code === "NumbersWithoutConfig") return "Add them to the config again.";
  return undefined;
}

const makeConfig = ({ migration }: Pick<BlockerProps, "migration">) => <MakeConfigForm migration={migration} />;

const chooseAgain = ({ migration }: BlockerProps) => <CnpId value={migration.upstreamCnpId} />;

const FORMS: Partial<Record<MigrationBlockerCode, (props: BlockerProps) => ReactNode>> = {
  FeatureOff: () => (
    <ActionButton
      verb="Ask for it"
      done="Asked for. The operator decides."
      run={() => client.account.requestFeature("campaignMigration")}
    />
  ),
  NoConfig: ({ migration }) => (migration.campaign ? <LinkOrMake migration={migration} /> : makeConfig({ migration })),
  SeveralConfigs: ({ migration }) =>
    migration.campaign ? <LinkForm migration={migration} /> : <KeepOneForm migration={migration} />,
  NotLinked: ({ migration }) => <LinkForm migration={migration} />,
  Declined: chooseAgain,
  Cancelled: chooseAgain,
  Expired: chooseAgain,
  CampaignLeft: chooseAgain,
  PortException: ({ blocker, order }) =>
    order && <AnswerForm key={order.sid} order={order} numbers={blocker.numbers} />,
  PortFailed: ({ migration }) => (
    <ButtonLink to={`/campaigns?move=${migration.tcrCampaignId}`}>Order them anew</ButtonLink>
  ),
  MessagingNotPorted: ({ migration }) => (
    <ButtonLink to={`/campaigns?move=${migration.tcrCampaignId}`}>Order them anew</ButtonLink>
  ),
  NumbersWithoutConfig: ({ migration, blocker }) => {
    const sid = migration.messagingConfigSid;
    if (sid === null) return undefined;
    const add = () => client.messagingConfigs.addPhones(sid, blocker.numbers);
    return <ActionButton verb="Add them again" done="Added." run={add} />;
  },
};

interface ActionButtonProps {
  readonly verb: string;
  readonly done: string;
  readonly run: () => Promise<unknown>;
}

function ActionButton({ verb, done, run }: ActionButtonProps) {
  const action = useAction({ run, nouns: CAMPAIGN_NOUNS, done: () => done });
  return (
    <>
      {action.error && <Problem what="Not done" error={action.error} />}
      <Button kind="primary" busy={action.isPending} onClick={() => action.start()}>
        {verb}
      </Button>
    </>
  );
}
