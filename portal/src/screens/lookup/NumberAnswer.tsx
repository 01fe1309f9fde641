// What is known about one number, and its source.

import type { NumberDetails } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { client } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { ButtonLink } from "../../components/button.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { type FactList, Facts } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { Time } from "../../components/time.tsx";
import { Verdict } from "../../components/verdict.tsx";
import { Mono } from "../../components/words.tsx";

const SOURCES: Record<NumberDetails["source"], string> = {
  override: "An override of the operator",
  own: "A number of this service",
  enum: "A live directory (ENUM)",
  http: "A live provider",
  sip: "A live redirect server",
  table: "The table of public assignments",
};

export function NumberAnswer({ number }: { readonly number: string }) {
  const lookup = dataQuery(["lookup", number], (options) => client.lookup.details(number, options));
  const query = useQuery({ ...lookup, staleTime: 60_000 });
  if (!query.data) return <NotLoaded query={query} what="Not looked up" rows={3} />;
  const details = query.data;
  const isActive = details.status === "Active";
  return (
    <div className="lookup-answer" aria-live="polite">
      <Verdict
        tone={isActive ? "ok" : "warn"}
        what={isActive ? "It can be texted" : "It cannot be texted, as far as is known"}
        why={sentenceOf(details)}
      >
        {isActive && (
          <ButtonLink to={`/messages/new?to=${encodeURIComponent(details.number)}`} small icon="send">
            Send a text
          </ButtonLink>
        )}
      </Verdict>
      <div className="lookup-facts">
        <Facts facts={factsOf(details)} />
      </div>
    </div>
  );
}

function sentenceOf({ type, carrierName, country, location }: NumberDetails): string {
  const kind = type === "Unknown" ? "Of unknown kind" : type;
  return `${[kind, carrierName, location ?? country].filter((word) => word !== null).join(", ")}.`;
}

function factsOf(details: NumberDetails): FactList {
  const { mobileCountryCode: mcc, mobileNetworkCode: mnc, ported } = details;
  return [
    ["Number", <PhoneNumber key="number" value={details.number} />],
    ["National", <Mono key="national">{details.nationalFormat}</Mono>],
    ["Status", details.status],
    ["Type", details.type],
    ["Carrier", details.carrierName ?? "not known"],
    ["Country", details.country ?? "of no single one"],
    ["Area", details.location ?? "not public"],
    ["Network", mcc === null ? "not known" : `MCC ${mcc}${mnc === null ? "" : `, MNC ${mnc}`}`],
    ["Ported", ported === null ? "not known" : ported ? "yes" : "no"],
    ["Source", SOURCES[details.source]],
    ["As of", <Time key="as-of" at={details.asOf} form="day" />],
    ["Confidence", details.confidence],
  ];
}
