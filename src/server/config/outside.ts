// The settings of outside systems: carriers, registry and clearing house, or of the sandbox that replaces them.

import type { PortingSettings } from "../../adapters/clearing-house/porting-settings.ts";
import type { RegistrySettings } from "../../adapters/registry/registry-settings.ts";
import type { CarrierSettings } from "./carriers.ts";
import type { ConfigFile } from "./config-file.ts";
import type { SipSettings } from "./sip.ts";

export interface Outside {
  readonly carriers: readonly CarrierSettings[];
  readonly registry: RegistrySettings | undefined;
  readonly porting: PortingSettings;
  /** Undefined: this service has no voice. */
  readonly sip: SipSettings | undefined;
  /** Called with the port where a link listens for the mail of its MMS centre. */
  readonly mmsListens: (link: string, port: number) => void;
}

export function configuredOutside({ carriers, registry, porting, sip }: ConfigFile): Outside {
  return { carriers, registry, porting: porting ?? { kind: "manual" }, sip, mmsListens: () => undefined };
}
