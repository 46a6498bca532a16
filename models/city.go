// Cities and their districts: the small, slowly changing frame of the site.

package models

// Names holds one name in every language of the site. EN is never empty.
type Names struct {
	EN string `json:"en"`
	RU string `json:"ru"`
	HI string `json:"hi"`
}

// A City is one market: its apartments, prices and currency.
type City struct {
	ID       int16  `gorm:"primaryKey"`
	Slug     string // in URLs, lower-case ASCII
	Name     Names  `gorm:"embedded;embeddedPrefix:name_"`
	Currency string // ISO 4217
	// PriceStep is the width of one bucket of the price facet, in whole currency units.
	PriceStep int64
	// Version grows with every edit in the city, in the same transaction. List and facet
	// keys carry it, so an edit moves the whole city to new keys.
	Version   int64
	Districts []District `gorm:"foreignKey:CityID"`
}

// A District belongs to one city. X (to the east) and Y (to the south) place its centre
// on a schematic map of 100 × 100.
type District struct {
	ID     int16 `gorm:"primaryKey"`
	CityID int16
	Slug   string // unique within its city
	Name   Names  `gorm:"embedded;embeddedPrefix:name_"`
	X, Y   int16
}
