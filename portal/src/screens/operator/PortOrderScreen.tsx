// One port order: what was ordered, the status of each number, and its manual steps.

import type { OwnedPortOrder } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { operator } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { AccountLink } from "../../components/account-link.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { type FactList, Facts, PageHead, Section } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { usePlace } from "../../components/place.ts";
import { useRouteParams } from "../../components/route-params.ts";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { Verdict } from "../../components/verdict.tsx";
import { Mono } from "../../components/words.tsx";
import { useIsAdmin } from "./operator-parts.tsx";
import { PortActions } from "./PortActions.tsx";
import { PortDocuments } from "./PortDocuments.tsx";
import { PortPins } from "./PortPins.tsx";

/** No manual steps are left. */
const CLOSED: readonly string[] = ["Completed", "PartiallyCompleted", "Cancelled", "Failed"];

export function PortOrderScreen() {
  const { sid } = useRouteParams("/operator/ports/$sid");
  usePlace([{ label: "Port orders", to: "/operator/ports" }, { label: `PO…${sid.slice(-6)}` }]);
  const isAdmin = useIsAdmin();
  const query = useQuery(dataQuery(["ports", "one", sid], (options) => operator.portOrders.get(sid, options)));
  if (!query.data) return <NotLoaded query={query} what="The order did not load" />;
  const order = query.data;
  const isOpen = !CLOSED.includes(order.status);
  return (
    <>
      <PageHead
        title="Port order"
        sub={
          <>
            <Status kind="portOrder" value={order.status} />
            <AccountLink sid={order.accountSid} />
            <Sid value={order.sid} full />
          </>
        }
      />
      {order.reason !== null && (
        <Verdict
          tone={isOpen ? "warn" : "bad"}
          what={order.reason}
          why={<span className="mono">{order.reasonCode}</span>}
          advice={isOpen && order.answerWith.length > 0 && `Waiting for the account: ${order.answerWith.join(" or ")}.`}
        />
      )}
      {order.cancelRequestedOn !== null && (
        <Verdict
          tone="warn"
          what="The account wants it cancelled"
          why={
            <>
              since <Time at={order.cancelRequestedOn} form="day" />
            </>
          }
          advice="Reject it as CANCELLED, or complete what has moved already."
        />
      )}
      <Numbers order={order} />
      {isAdmin && isOpen && <PortActions key={order.updatedOn} order={order} />}
      <div className="columns columns-top">
        <Section title="What was asked for">
          <div className="operator-block">
            <Facts facts={factsOf(order)} />
          </div>
        </Section>
        {isAdmin && isOpen && <PortPins sid={order.sid} />}
        <PortDocuments order={order} />
      </div>
    </>
  );
}

function Numbers({ order }: { readonly order: OwnedPortOrder }) {
  return (
    <Section title="Numbers" count={order.numbers.length}>
      <ul className="operator-rows">
        {order.numbers.map(({ number, status, reason, focOn, voiceMovedOn, messagingMovedOn }) => (
          <li key={number}>
            <PhoneNumber value={number} />
            <Status kind="portOrder" value={status} />
            {reason !== null && <span className="mid">{reason}</span>}
            <span className="row dim">
              {focOn !== null && (
                <span>
                  date <Time at={focOn} form="day" />
                </span>
              )}
              {voiceMovedOn !== null && <span>voice moved</span>}
              {messagingMovedOn !== null && <span>texts moved</span>}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function factsOf(order: OwnedPortOrder): FactList {
  const { subscriber, serviceAddress: at, requestedOn, billingTelephoneNumber } = order;
  return [
    ["From", order.losingCarrier ?? "not said"],
    ["Account no.", <Mono key="account">{order.accountNumber}</Mono>],
    [
      "Billing no.",
      billingTelephoneNumber === null ? "none" : <PhoneNumber key="btn" value={billingTelephoneNumber} />,
    ],
    ["Subscriber", `${subscriber.name} (${subscriber.type})`],
    ["Signed by", subscriber.authorizedPerson],
    ["Street", [at.street, at.street2].filter(Boolean).join(", ")],
    ["Place", `${at.city}, ${at.state} ${at.postalCode}, ${at.country}`],
    ["Wanted on", requestedOn === null ? "as soon as may be" : <Time key="wanted" at={requestedOn} form="day" />],
    ["Reference", order.customerReference ?? "none"],
    ["Placed", <Time key="placed" at={order.createdOn} form="day" />],
  ];
}
