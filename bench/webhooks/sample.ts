// The event both sides of the webhook benchmark send.

export function sampleFields(sid: string) {
  return {
    Sid: sid,
    From: "+14155550100",
    To: "+14155550101",
    Status: "Delivered",
    PreviousStatus: "Sent",
    ErrorCode: 0,
    ErrorDescription: null,
    SegmentCount: 1,
    Carrier: "T-Mobile USA",
  };
}

export function sampleBody(sid: string) {
  return { EventDate: new Date().toISOString(), Sequence: 1, ...sampleFields(sid) };
}
