// How each language writes numbers, money, shares and dates. Plain appends: a listing writes some 150 of them.

package locale

import (
	"strconv"
	"time"
)

// A format is what the languages differ in.
type format struct {
	group   string // stands between groups of digits
	indian  bool   // above the first three digits, groups have two: 12,34,567
	point   byte   // before the decimals
	after   bool   // the sign of a currency follows the amount
	percent string
	units   []unit // of large amounts, the largest first
	months  [12]string
}

// A unit is a word for a large number.
type unit struct {
	size     int64
	decimals int // as many as anybody wants to know
	word     string
}

// Number groups digits: "1,234,567", "1 234 567", "12,34,567".
func (l *Locale) Number(n int64) string {
	if 0 <= n && n < 1000 {
		return strconv.Itoa(int(n))
	}
	return string(l.appendNumber(make([]byte, 0, 32), n))
}

func (l *Locale) appendNumber(b []byte, n int64) []byte {
	var buf [20]byte
	digits := strconv.AppendInt(buf[:0], n, 10)
	if digits[0] == '-' {
		b, digits = append(b, "−"...), digits[1:]
	}
	for i, d := range digits {
		if left := len(digits) - i; i > 0 && (left == 3 || left > 3 && l.format.groupEnds(left)) {
			b = append(b, l.format.group...)
		}
		b = append(b, d)
	}
	return b
}

// groupEnds says whether a group ends before the last n digits, n > 3.
func (f *format) groupEnds(n int) bool {
	if f.indian {
		return n%2 == 1
	}
	return n%3 == 0
}

// Decimal writes at most one decimal place: "54.5", "54".
func (l *Locale) Decimal(v float64) string {
	return string(l.appendDecimal(make([]byte, 0, 16), v, 1))
}

// appendDecimal writes at most the given number of decimal places, and no zeros at their end.
func (l *Locale) appendDecimal(b []byte, v float64, decimals int) []byte {
	b = strconv.AppendFloat(b, v, 'f', decimals, 64)
	point := len(b) - decimals - 1
	for b[len(b)-1] == '0' && len(b) > point {
		b = b[:len(b)-1]
	}
	if len(b)-1 == point {
		return b[:point]
	}
	b[point] = l.format.point
	return b
}

// Money writes an amount in whole units: "₽12,500,000", "12 500 000 ₽".
func (l *Locale) Money(amount int64, currency string) string {
	return string(l.appendMoney(make([]byte, 0, 48), amount, currency))
}

// PerM2 writes a price per square metre: "₽250,000/m²".
func (l *Locale) PerM2(amount int64, currency string) string {
	b := append(l.appendMoney(make([]byte, 0, 48), amount, currency), '/')
	return string(append(b, l.T.Common.M2...))
}

func (l *Locale) appendMoney(b []byte, amount int64, currency string) []byte {
	if l.format.after {
		return append(append(l.appendNumber(b, amount), nbsp...), Symbol(currency)...)
	}
	return l.appendNumber(appendSymbol(b, currency), amount)
}

// ShortMoney writes an amount for a narrow place: "₽12.5M", "12,5 млн ₽", "₹1.25 करोड़".
func (l *Locale) ShortMoney(amount int64, currency string) string {
	b := make([]byte, 0, 48)
	if !l.format.after {
		b = appendSymbol(b, currency)
	}
	b = l.appendShort(b, amount)
	if l.format.after {
		b = append(append(b, nbsp...), Symbol(currency)...)
	}
	return string(b)
}

func (l *Locale) appendShort(b []byte, amount int64) []byte {
	for _, u := range l.format.units {
		if amount >= u.size {
			return append(l.appendDecimal(b, float64(amount)/float64(u.size), u.decimals), u.word...)
		}
	}
	return l.appendNumber(b, amount)
}

// Symbol returns the sign of a currency, or its code where we know no sign.
func Symbol(currency string) string {
	switch currency {
	case "RUB":
		return "₽"
	case "INR":
		return "₹"
	}
	return currency
}

// appendSymbol writes what stands before an amount; only a sign may touch the digits.
func appendSymbol(b []byte, currency string) []byte {
	symbol := Symbol(currency)
	b = append(b, symbol...)
	if symbol == currency {
		b = append(b, nbsp...)
	}
	return b
}

// Change writes the step from one amount to another: "−4.5%", "+12%". The old amount must not be 0.
func (l *Locale) Change(from, to int64) string {
	b, percent := append(make([]byte, 0, 24), '+'), float64(to-from)/float64(from)*100
	if percent < 0 {
		b, percent = append(b[:0], "−"...), -percent
	}
	return string(append(l.appendDecimal(b, percent, 1), l.format.percent...))
}

// Percent writes a share: "12%", "12 %".
func (l *Locale) Percent(n int64) string { return l.Number(n) + l.format.percent }

// Date writes a day: "2 Dec 2026".
func (l *Locale) Date(t time.Time) string {
	year, month, day := t.Date()
	b := append(strconv.AppendInt(make([]byte, 0, 32), int64(day), 10), nbsp...)
	b = append(append(b, l.format.months[month-1]...), nbsp...)
	return string(strconv.AppendInt(b, int64(year), 10))
}

// Listed says when a home came on offer: as a distance as long as that is easier to read than the date.
func (l *Locale) Listed(t, now time.Time) string {
	c := &l.T.Card
	return l.ago(t, now, c.ListedToday, c.ListedYesterday, c.ListedAgo, c.ListedOn)
}

// Changed says the same of the last change.
func (l *Locale) Changed(t, now time.Time) string {
	c := &l.T.Card
	return l.ago(t, now, c.ChangedToday, c.ChangedYesterday, c.ChangedAgo, c.ChangedOn)
}

func (l *Locale) ago(t, now time.Time, today, yesterday string, ago Plural, on Phrase) string {
	switch days := int(now.Sub(t) / (24 * time.Hour)); {
	case days < 1:
		return today
	case days == 1:
		return yesterday
	case days < 30:
		return l.Count(days, ago)
	}
	return on.With("date", l.Date(t))
}

const nbsp = "\u00a0" // a space at which no line breaks
