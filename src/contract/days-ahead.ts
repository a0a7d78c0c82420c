/** How many days ahead visits are verified at most. Our choice: these days are examined every minute. */
export const DAYS_AHEAD_MAX = 30
