import { describe, expect, test } from "vitest";
import api from "../../api/tandem.json" with { type: "json" };
import type {
  FailedLookup,
  Limit,
  Limits,
  LookupBatchAnswer,
  MessagingStatus,
  NumberInformation,
  OwnAccount,
  PhoneType,
  ValidationProblem,
} from "./types.ts";

// The compiler holds each list to the type, the test holds it to the document.
type Members<Type> = Readonly<Record<keyof Type, true>>;
type Words<Union extends string> = Readonly<Record<Union, true>>;

const shapes = {
  NumberInformation: { number: true, status: true, type: true, carrierName: true } satisfies Members<NumberInformation>,
  FailedLookup: { number: true, error: true } satisfies Members<FailedLookup>,
  LookupBatchAnswer: { items: true } satisfies Members<LookupBatchAnswer>,
  Limit: { requests: true, windowSeconds: true } satisfies Members<Limit>,
  Limits: { lookup: true, lookupBatch: true, send: true, read: true, write: true } satisfies Members<Limits>,
  OwnAccount: {
    sid: true,
    name: true,
    status: true,
    features: true,
    limits: true,
    defaultCallerId: true,
    upstreamCnpId: true,
    sipSourceAddresses: true,
    supportContact: true,
    createdOn: true,
  } satisfies Members<OwnAccount>,
  ValidationProblem: {
    type: true,
    title: true,
    status: true,
    detail: true,
    instance: true,
    code: true,
    traceId: true,
    errors: true,
  } satisfies Members<ValidationProblem>,
};

const words = {
  PhoneMessagingStatus: { Active: true, Inactive: true } satisfies Words<MessagingStatus>,
  PhoneType: { Unknown: true, Wireless: true, Landline: true, VoIP: true } satisfies Words<PhoneType>,
  AccountStatus: { Active: true, Suspended: true } satisfies Words<OwnAccount["status"]>,
  Feature: { voice: true, campaignMigration: true } satisfies Words<OwnAccount["features"][number]>,
};

interface Schema {
  readonly properties?: object;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
}

const schemas = api.components.schemas as unknown as Readonly<Record<string, Schema>>;

describe("the client's types are those of the OpenAPI document", () => {
  test.each(Object.entries(shapes))("%s has the same members", (name, members) => {
    expect(Object.keys(schemas[name]?.properties ?? {}).sort()).toEqual(Object.keys(members).sort());
    expect([...(schemas[name]?.required ?? [])].sort()).toEqual(Object.keys(members).sort());
  });

  test.each(Object.entries(words))("%s has the same words", (name, members) => {
    expect([...(schemas[name]?.enum ?? [])].sort()).toEqual(Object.keys(members).sort());
  });
});
