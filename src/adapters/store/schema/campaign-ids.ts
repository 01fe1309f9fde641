// Finds configs by a campaign id anywhere in their names, in place of an index of whole words.

export const campaignIdsSchema = {
  name: "0030-campaign-ids",
  sql: `
-- Everything in a name that has the form of a campaign's id, in capitals, also inside longer words.
create function campaign_ids_in(name text) returns text[] language sql immutable strict parallel safe as $$
  select array(
    select distinct part from generate_series(1, char_length(name)) as start, unnest(array[7, 8]) as length,
           substr(upper(name collate "C"), start, length) as part
     where part collate "C" ~ '^C[A-Z0-9]{6,7}$')
$$;
drop index messaging_configs_words;
create index messaging_configs_ids on messaging_configs using gin (campaign_ids_in(name));
`,
};
