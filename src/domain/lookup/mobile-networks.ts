// Mobile country and network codes (ITU-T E.212) of carriers, by the names that the numbering table has for them: the
// code under which a network is best known, where it has several. Carriers that are not listed have none here.

import { tableOf } from "../../base/table.ts";

export interface MobileNetwork {
  readonly mcc: string;
  readonly mnc: string;
}

/** Country → carrier → codes, as `mcc-mnc`. */
const NETWORKS = tableOf({
  US: tableOf({
    "T-Mobile USA": "310-260",
    "AT&T Mobility": "310-410",
    "Verizon Wireless": "311-480",
    UScellular: "311-580",
  }),
  CA: tableOf({
    "Rogers Wireless": "302-720",
    "Bell Mobility": "302-610",
    "TELUS Mobility": "302-220",
    "SaskTel Mobility": "302-780",
  }),
  GB: tableOf({ EE: "234-30", O2: "234-10", Vodafone: "234-15", Three: "234-20" }),
  FR: tableOf({ "Orange France": "208-01", SFR: "208-10", Bouygues: "208-20", "Free Mobile": "208-15" }),
  DE: tableOf({ "T-Mobile": "262-01", Vodafone: "262-02", O2: "262-07" }),
  AU: tableOf({ Telstra: "505-01", Optus: "505-02", Vodafone: "505-03" }),
  CH: tableOf({ Swisscom: "228-01", Sunrise: "228-02", Salt: "228-03" }),
  NL: tableOf({ KPN: "204-08", "Vodafone Libertel B.V.": "204-04", "T-Mobile": "204-16" }),
  BE: tableOf({ Proximus: "206-01", Telenet: "206-20" }),
});

export function mobileNetworkOf(country: string | undefined, carrierName: string | null): MobileNetwork | undefined {
  const [mcc, mnc] =
    NETWORKS.get(country ?? "")
      ?.get(carrierName ?? "")
      ?.split("-") ?? [];
  return mcc === undefined || mnc === undefined ? undefined : { mcc, mnc };
}
