-- A prompt that failed without a paid call costs nothing; without a cost, it is unknown.
update single_prompts set cost = 0
where state = 'failed' and cost is null and input_tokens is null;
