import type { ReactNode } from 'react';
import { Icon } from '../../ui/base/icon.tsx';
import { type Chart, HEIGHT, WIDTH } from './chart.ts';
import './line-chart.css';

/**
 * Chart of a value over time, with its scale. `label` describes the chart to screen readers. `days` are the labels at the start,
 * the middle and the end of the time.
 */
export function LineChart({
  chart,
  label,
  tick,
  days,
}: {
  chart: Chart;
  label: string;
  /** Formats a value of the scale. */
  tick: (value: string) => string;
  days: readonly [string, string, string];
}): ReactNode {
  return (
    <>
      <div className="chart-plot">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
          <path
            className="chart-grid"
            d={chart.ticks.map((_, index) => `M0 ${(index * HEIGHT) / (chart.ticks.length - 1)}H${WIDTH}`).join('')}
          />
          <path className="chart-area" d={chart.area} />
          <path className="chart-line" d={chart.line} />
          <path className="chart-end" d={`M${WIDTH} ${chart.endY}h0`} />
          <path className="chart-endFace" d={`M${WIDTH} ${chart.endY}h0`} />
        </svg>
        <div className="chart-ticks num" aria-hidden="true">
          {chart.ticks.map((value) => (
            <span key={value}>{tick(value)}</span>
          ))}
        </div>
      </div>
      <div className="chart-days num" aria-hidden="true">
        {days.map((day, at) => (
          <span key={at}>{day}</span>
        ))}
      </div>
    </>
  );
}

/** Collapsed table with the same figures as the chart above it. */
export function ChartTable({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <details className="chart-table">
      <summary className="tiny">
        {name}
        <Icon name="caret-down" size={14} />
      </summary>
      {children}
    </details>
  );
}
