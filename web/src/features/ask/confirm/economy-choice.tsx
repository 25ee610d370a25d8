import { formatNumber, formatTime } from '../../../lib/format.ts';
import * as texts from '../../../texts/entities.ts';
import { tomorrowMorning } from './deadline.ts';
import type { Quote } from './quote.ts';

interface Props {
  economy: NonNullable<Quote['economy']>;
  isEconomy: boolean;
  onEconomy: (isEconomy: boolean) => void;
}

/** Now, or by tomorrow morning for half the submissions. */
export function EconomyChoice({ economy, isEconomy, onEconomy }: Props) {
  const deadline = formatTime(tomorrowMorning(new Date()));
  const choices = [
    [false, texts.runNow(formatNumber(economy.now))],
    [true, texts.runLater({ deadline, shown: formatNumber(economy.by_deadline) })],
  ] as const;
  return (
    <fieldset className="stack">
      <legend>{texts.whenToRun}</legend>
      {choices.map(([value, label]) => (
        <label key={label} className="row">
          <input
            type="radio"
            name="economy"
            checked={value === isEconomy}
            onChange={() => onEconomy(value)}
          />
          {label}
        </label>
      ))}
      {isEconomy && <p className="muted">{texts.economyNote}</p>}
    </fieldset>
  );
}
