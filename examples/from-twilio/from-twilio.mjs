// The official twilio client, unchanged, on Tandem: only the address of its requests differs.
import twilio from "twilio";

const { TANDEM_URL, TANDEM_ACCOUNT_SID, TANDEM_TOKEN, TANDEM_NUMBER } = process.env;

class TandemRequests extends twilio.RequestClient {
  request(options) {
    const { pathname, search } = new URL(options.uri);
    return super.request({ ...options, uri: TANDEM_URL + pathname + search });
  }
}
const client = twilio(TANDEM_ACCOUNT_SID, TANDEM_TOKEN, { httpClient: new TandemRequests() });

const message = await client.messages.create({ from: TANDEM_NUMBER, to: "+14155550100", body: "Hello" });
console.log(`${message.sid}: ${message.status}`);
let fetched = await client.messages(message.sid).fetch();
while (["queued", "sending", "sent"].includes(fetched.status)) {
  await new Promise((resolve) => setTimeout(resolve, 200));
  fetched = await client.messages(message.sid).fetch();
}
console.log(`${fetched.sid}: ${fetched.status}`);

const number = await client.lookups.v2.phoneNumbers("+14074740200").fetch({ fields: "line_type_intelligence" });
console.log(`${number.phoneNumber}: ${number.lineTypeIntelligence.type}`);

const call = await client.calls.create({
  from: TANDEM_NUMBER,
  to: "+14155550111",
  twiml: "<Response><Say>Hello from Tandem.</Say><Hangup/></Response>",
});
console.log(`${call.sid}: ${call.status}`);

await client.messages.create({ from: TANDEM_NUMBER, to: "12", body: "Hello" }).catch((error) => {
  console.log(`refused: ${error.status}, code ${error.code}`);
});
