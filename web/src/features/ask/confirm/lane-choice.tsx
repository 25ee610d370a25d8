import { formatNumber, formatTime } from '../../../lib/format.ts';
import * as texts from '../../../texts/entities.ts';
import { Segments } from '../../../ui/form/segments.tsx';
import { tomorrowMorning } from './deadline.ts';
import type { Quote } from './quote.ts';

interface Props {
  economy: NonNullable<Quote['economy']>;
  isEconomy: boolean;
  onEconomy: (isEconomy: boolean) => void;
}

/** Now, or by tomorrow morning for half the submissions. */
export function LaneChoice({ economy, isEconomy, onEconomy }: Props) {
  const deadline = formatTime(tomorrowMorning(new Date()));
  return (
    <div>
      <Segments
        label={texts.whenToRun}
        choices={{
          now: texts.runNow(formatNumber(economy.now)),
          later: texts.runLater({ deadline, shown: formatNumber(economy.by_deadline) }),
        }}
        chosen={isEconomy ? 'later' : 'now'}
        onChoose={(lane) => onEconomy(lane === 'later')}
      />
      {isEconomy && <p className="muted">{texts.economyNote}</p>}
    </div>
  );
}
